import { useState } from 'react';
import type { Key, Plan, Scope } from '../../client/src/index.ts';
import { Field } from '../kit/field.tsx';
import { common } from '../texts.ts';
import { PLANS, PRESETS, SCOPES } from './key-rules.ts';
import { texts } from './texts.ts';

type Props = { of?: Key; errors: Record<string, string> };

const sameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope));

const Scopes = ({ first, error }: { first: readonly Scope[]; error: string | undefined }) => {
  const [chosen, setChosen] = useState(first);
  const [isOwn] = useState(() => !PRESETS.some(({ scopes }) => sameScopes(first, scopes)));
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <fieldset className="scopes">
      <legend>{texts.fields.scopes}</legend>
      <div className="presets">
        {PRESETS.map(({ title, words, scopes }) => (
          <label key={title}>
            <input
              type="radio"
              name="preset"
              checked={sameScopes(chosen, scopes)}
              onChange={() => setChosen([...scopes])}
            />
            <span>
              <b>{title}</b>
              <span className="soft">{words}</span>
            </span>
          </label>
        ))}
      </div>
      <details open={isOwn}>
        <summary>{texts.fields.permissions(chosen.length)}</summary>
        {Object.entries(SCOPES).map(([scope, { title, words }]) => (
          <label key={scope}>
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={chosen.includes(scope as Scope)}
              onChange={() => toggle(scope as Scope)}
              aria-invalid={Boolean(error)}
            />
            <span>
              {title} <span className="soft">{words}</span> <code className="soft wide">{scope}</code>
            </span>
          </label>
        ))}
      </details>
      {error && (
        <p className="said bad" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
};

export const KeyFields = ({ of, errors }: Props) => {
  const [plan, setPlan] = useState<Plan>(of?.plan ?? 'pro');
  return (
    <>
      <Field label={common.name} hint={texts.fields.nameHint} error={errors.name}>
        <input name="name" required maxLength={255} defaultValue={of?.name} autoComplete="off" />
      </Field>
      <Field label={texts.fields.plan} hint={texts.fields.limits(PLANS[plan])} error={errors.plan}>
        <select name="plan" value={plan} onChange={(event) => setPlan(event.target.value as Plan)}>
          {Object.keys(PLANS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      {plan === 'enterprise' && (
        <div className="trio">
          <Field label={texts.fields.perMinute} error={errors['limits/perMinute'] ?? errors.limits}>
            <input name="perMinute" type="number" min={1} required defaultValue={of?.limits.perMinute} />
          </Field>
          <Field label={texts.fields.perDay} error={errors['limits/perDay']}>
            <input name="perDay" type="number" min={1} required defaultValue={of?.limits.perDay} />
          </Field>
          <Field label={texts.fields.pets} hint={texts.fields.petsHint} error={errors['limits/pets']}>
            <input name="pets" type="number" min={1} defaultValue={of?.limits.pets ?? ''} />
          </Field>
        </div>
      )}
      <Scopes first={of?.scopes ?? PRESETS[0]?.scopes ?? []} error={errors.scopes} />
    </>
  );
};

export const readKeyFields = (form: FormData) => {
  const plan = form.get('plan') as Plan;
  const limits = {
    perMinute: Number(form.get('perMinute')),
    perDay: Number(form.get('perDay')),
    pets: Number(form.get('pets')) || null,
  };
  return {
    name: String(form.get('name')),
    plan,
    scopes: form.getAll('scopes') as Scope[],
    ...(plan === 'enterprise' ? { limits } : {}),
  };
};
