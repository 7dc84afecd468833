import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { curlLine } from '../kit/api-call.tsx';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Code, CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common, titles } from '../texts.ts';
import { Step } from './step.tsx';
import { texts } from './texts.ts';

const PET = { name: 'Mia', categoryId: 2 };

export const IssueKey = ({ onIssued }: { onIssued: (secret: string | null) => void }) => {
  const { petstore, me } = useSession();
  const queries = useQueryClient();
  const issue = useMutation({
    // Without `storeId`, a new key on staging would get a new store of its own.
    mutationFn: (name: string) => petstore.keys.create({ name, plan: 'free', storeId: me.storeId }),
    onSuccess: async ({ key }) => {
      onIssued(key);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    issue.mutate(String(new FormData(event.currentTarget).get('name')));
  };
  const errors = fieldErrors(issue.error);
  return (
    <Step title={texts.keyStep.title} isDone={issue.isSuccess}>
      {issue.data ? (
        <ShownOnce
          title={texts.keyStep.created}
          note={texts.keyStep.note}
          lost={texts.inviteStep.lost}
          secret={issue.data.key}
          what={common.copied.key}
        />
      ) : (
        <form className="stack" onSubmit={submit} onChange={() => issue.error && issue.reset()}>
          <Field label={texts.keyStep.name} hint={texts.keyStep.hint} error={errors.name}>
            <input name="name" defaultValue={texts.keyStep.example} required maxLength={255} autoComplete="off" />
          </Field>
          <div className="row">
            <Button type="submit" isBusy={issue.isPending}>
              {texts.keyStep.create}
            </Button>
          </div>
          {issue.error && !errors.name && <ErrorNote error={issue.error} />}
        </form>
      )}
    </Step>
  );
};

const useArrival = (onArrived: () => void): LiveEvent | undefined => {
  const { me } = useSession();
  const [arrived, setArrived] = useState<LiveEvent>();
  useEvents(['pet.created'], (event) => {
    const { object } = event.data;
    if (event.actor?.keyId === me.id && !('name' in object && object.name === PET.name)) return;
    setArrived(event);
    onArrived();
  });
  return arrived;
};

type CallProps = { secret: string | null; onArrived: () => void };

export const FirstCall = ({ secret, onArrived }: CallProps) => {
  const { secret: own, can } = useSession();
  const arrived = useArrival(onArrived);
  const isWatching = can('events:read');
  return (
    <Step title={texts.callStep.title} isDone={arrived !== undefined}>
      <p className="row">
        {secret ? texts.callStep.setNewKey : texts.callStep.setOwnKey}{' '}
        <CopyButton
          text={`export API_KEY='${secret ?? own}'`}
          what={common.copied.command}
          label={texts.callStep.copyKey}
        />
      </p>
      <p>{texts.callStep.addPet}</p>
      <Code text={curlLine('POST', '/pets', PET)} what={common.copied.curl} />
      <p role="status">
        {arrived && 'name' in arrived.data.object ? (
          <>
            <Badge tone="good" shape="tick">
              {texts.callStep.received}
            </Badge>
            {texts.callStep.receivedFrom(
              <Link href={`/pets?pet=${arrived.data.object.id}`}>{isolated(arrived.data.object.name ?? '')}</Link>,
              <code>{arrived.actor?.keyId}</code>,
              <code>{arrived.requestId}</code>,
            )}
          </>
        ) : isWatching ? (
          <Badge tone="warn" shape="dashed">
            {texts.callStep.waiting}
          </Badge>
        ) : (
          texts.callStep.seeUnder(<Link href="/pets">{titles.pets}</Link>)
        )}
      </p>
    </Step>
  );
};
