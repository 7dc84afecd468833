import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
import type { Key, Plan, Scope } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { capitalized } from '../kit/text.ts';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { PLANS, PRESETS, SCOPES, sameScopes } from './key-rules.ts';
import { texts } from './texts.ts';

type Props = { of?: Key; errors: Record<string, string>; children: ReactNode };

/**
 * To place an order in the console, the user chooses a pet from a list, so the key must have `pets:read`. The API
 * itself accepts an order from a key without that scope.
 */
const PlacingNeeds = ({ chosen, onAdd }: { chosen: readonly Scope[]; onAdd: (scope: Scope) => void }) => {
  const { title } = SCOPES['pets:read'];
  if (!chosen.includes('orders:write') || chosen.includes('pets:read')) return null;
  return (
    <p className="row said" role="status">
      {texts.fields.placingNeeds(title)}
      <Button className="small" onClick={() => onAdd('pets:read')}>
        {texts.fields.addPermission(title)}
      </Button>
    </p>
  );
};

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
          <Fragment key={scope}>
            <label>
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
            {scope === 'orders:write' && <PlacingNeeds chosen={chosen} onAdd={toggle} />}
          </Fragment>
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

/**
 * Describes the plan's limits. On staging, the service may set a lower limit on the number of pets. The console reads
 * this lower limit from the usage of the user's own key.
 */
const useLimitWords = (plan: Plan): string => {
  const { petstore, me } = useSession();
  const isStaging = ENVIRONMENT === 'staging';
  const { data } = useQuery({ queryKey: ['usage', 'me'], queryFn: () => petstore.usage.get(), enabled: isStaging });
  const words = texts.fields.limits(PLANS[plan]);
  if (!isStaging) return words;
  const limit = data?.pets.limit ?? Number.POSITIVE_INFINITY;
  const isFound = limit < (me.limits.pets ?? Number.POSITIVE_INFINITY);
  return `${words} ${texts.fields.sandboxLimit(isFound ? limit : undefined)}`;
};

const KeyFields = ({ of, errors, children }: Props) => {
  const [plan, setPlan] = useState<Plan>(of?.plan ?? 'pro');
  const limits = useLimitWords(plan);
  return (
    <>
      <Field label={common.name} hint={texts.fields.nameHint} error={errors.name}>
        <input name="name" required maxLength={255} defaultValue={of?.name} autoComplete="off" />
      </Field>
      {children}
      <Scopes first={of?.scopes ?? PRESETS[0]?.scopes ?? []} error={errors.scopes} />
      <Field label={texts.fields.plan} hint={limits} error={errors.plan}>
        <select name="plan" value={plan} onChange={(event) => setPlan(event.target.value as Plan)}>
          {Object.keys(PLANS).map((name) => (
            <option key={name} value={name}>
              {capitalized(name)}
            </option>
          ))}
        </select>
      </Field>
      {plan === 'enterprise' && (
        <div className="abreast">
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
    </>
  );
};

type FormProps<Sent> = {
  of?: Key;
  action: string;
  kind: 'primary' | 'tint';
  send: (form: FormData) => PromiseLike<Sent>;
  onSent: (sent: Sent) => void;
  onClose: () => void;
  /** If there is no store with the entered id, returns that id. The user must then confirm the new store. */
  newStoreOf?: (form: FormData) => Promise<bigint | undefined>;
  /** The fields below the name. */
  children?: (errors: Record<string, string>) => ReactNode;
};

type NewStoreProps = { id: bigint | undefined; onConfirm: () => void; onClose: () => void };

const ConfirmNewStore = ({ id, ...acts }: NewStoreProps) =>
  id !== undefined && (
    <Confirm
      title={texts.newStore.question(id)}
      action={texts.newStore.confirm}
      keep={texts.newStore.keep}
      isFinal={false}
      isBusy={false}
      error={null}
      {...acts}
    >
      {texts.newStore.text(id)}
    </Confirm>
  );

export const KeyForm = <Sent,>({ of, action, kind, send, onSent, onClose, ...props }: FormProps<Sent>) => {
  const queries = useQueryClient();
  const [isChanged, setChanged] = useState(false);
  useGuard(isChanged ? shared.kit.unsaved : undefined);
  const sending = useMutation({
    mutationFn: async (form: FormData) => send(form),
    onSuccess: async (sent) => {
      onSent(sent);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const checking = useMutation({
    mutationFn: async (form: FormData) => ({ form, newStore: await props.newStoreOf?.(form) }),
    onSuccess: ({ form, newStore }) => {
      if (newStore === undefined) sending.mutate(form);
    },
  });
  const error = checking.error ?? sending.error;
  const errors = fieldErrors(error);
  const noteChange = () => {
    setChanged(true);
    if (!error) return;
    checking.reset();
    sending.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    checking.mutate(new FormData(event.currentTarget));
  };
  return (
    <>
      <form className="stack" onSubmit={submit} onChange={noteChange}>
        <KeyFields {...(of ? { of } : {})} errors={errors}>
          {props.children?.(errors)}
        </KeyFields>
        {error && Object.keys(errors).length === 0 && <ErrorNote error={error} />}
        <div className="row end">
          <Button onClick={() => leaveNow(onClose)}>{common.cancel}</Button>
          <Button kind={kind} type="submit" isBusy={checking.isPending || sending.isPending}>
            {action}
          </Button>
        </div>
      </form>
      <ConfirmNewStore
        id={checking.data?.newStore}
        onConfirm={() => {
          if (checking.data) sending.mutate(checking.data.form);
          checking.reset();
        }}
        onClose={checking.reset}
      />
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
