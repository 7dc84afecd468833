import { useState } from 'react';
import type { Key, Plan, Scope } from '../../client/src/index.ts';
import { Field } from '../kit/field.tsx';
import { common } from '../texts.ts';
import { PLAIN_SCOPES, PLANS, SCOPES } from './key-rules.ts';
import { texts } from './texts.ts';

type Props = { of?: Key; errors: Record<string, string> };

export const KeyFields = ({ of, errors }: Props) => {
  const [plan, setPlan] = useState<Plan>(of?.plan ?? 'pro');
  const chosen = of?.scopes ?? PLAIN_SCOPES;
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
        <div className="row">
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
      <fieldset className="scopes">
        <legend>{texts.fields.scopes}</legend>
        {Object.entries(SCOPES).map(([scope, words]) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} defaultChecked={chosen.includes(scope as Scope)} />
            <span>
              <code>{scope}</code> {words}
            </span>
          </label>
        ))}
        {errors.scopes && <p className="said bad">{errors.scopes}</p>}
      </fieldset>
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
