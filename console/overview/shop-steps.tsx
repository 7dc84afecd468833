import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp, Plus } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { Link } from 'wouter';
import { useKeys } from '../data/use-key-names.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { isolated } from '../kit/text.ts';
import { COLLEAGUE_SCOPES } from '../session/scopes.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { Step } from './step.tsx';
import { texts } from './texts.ts';

export const AddPets = ({ isDone }: { isDone: boolean }) => (
  <Step title={texts.addStep.title} isDone={isDone}>
    <p className="soft">{texts.addStep.text}</p>
    <div className="row">
      <Link className={`button ${isDone ? '' : 'tint'}`} href="/pets?do=add">
        <Plus className="icon" />
        {texts.addStep.add}
      </Link>
      <Link className="button" href="/pets?do=import">
        <FileUp className="icon" />
        {texts.addStep.import}
      </Link>
    </div>
  </Step>
);

export const TakeOrder = ({ hasPets, isDone }: { hasPets: boolean; isDone: boolean }) => (
  <Step title={texts.orderStep.title} isDone={isDone}>
    <p className="soft">{texts.orderStep.text}</p>
    {hasPets ? (
      <div className="row">
        <Link className={`button ${isDone ? '' : 'tint'}`} href="/orders?place=">
          <Plus className="icon" />
          {common.newOrder}
        </Link>
      </div>
    ) : (
      <p className="soft">{texts.orderStep.noPets}</p>
    )}
  </Step>
);

const InviteForm = () => {
  const { petstore, me } = useSession();
  const queries = useQueryClient();
  const form = useId();
  const issue = useMutation({
    // Without `storeId`, a new key on staging would get its own new store.
    mutationFn: (name: string) =>
      petstore.keys.create({ name, plan: 'pro', storeId: me.storeId, scopes: [...COLLEAGUE_SCOPES] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    onError: () => document.querySelector<HTMLElement>(`[id="${form}"] input`)?.focus(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    issue.mutate(String(new FormData(event.currentTarget).get('name')));
  };
  const errors = fieldErrors(issue.error);
  if (issue.data) {
    return (
      <ShownOnce
        title={texts.inviteStep.created(isolated(issue.data.name))}
        note={texts.inviteStep.note}
        lost={texts.inviteStep.lost}
        secret={issue.data.key}
        what={common.copied.key}
      />
    );
  }
  return (
    <form id={form} className="stack" onSubmit={submit} onChange={() => issue.error && issue.reset()}>
      <Field label={texts.inviteStep.name} error={errors.name}>
        <input name="name" required maxLength={255} autoComplete="off" />
      </Field>
      <div className="row">
        <Button type="submit" isBusy={issue.isPending}>
          {texts.inviteStep.create(me.storeId)}
        </Button>
      </div>
      {issue.error && !errors.name && <ErrorNote error={issue.error} />}
    </form>
  );
};

export const Invite = () => {
  const { can, me } = useSession();
  const { data = [] } = useKeys();
  const isDone = data.some(({ id, storeId, revokedAt }) => id !== me.id && storeId === me.storeId && !revokedAt);
  return (
    <Step title={texts.inviteStep.title} isDone={isDone}>
      <p className="soft">{can('keys:write') ? texts.inviteStep.text : texts.inviteStep.askOwner}</p>
      {can('keys:write') && <InviteForm />}
    </Step>
  );
};
