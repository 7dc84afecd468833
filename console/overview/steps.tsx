import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { curlLine } from '../kit/api-call.tsx';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Code, CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';

const Step = ({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) => (
  <li className={isDone ? 'done' : undefined}>
    <h3>
      {title}{' '}
      {isDone && (
        <Badge tone="good" shape="✓">
          done
        </Badge>
      )}
    </h3>
    {children}
  </li>
);

const FIRST = { name: 'Rex', categoryId: 1 };

export const AddFirst = ({ isDone }: { isDone: boolean }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => petstore.pets.create(FIRST),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['pets'] }),
        queries.invalidateQueries({ queryKey: ['inventory'] }),
      ]),
  });
  return (
    <Step title="Add a first animal" isDone={isDone}>
      {add.data ? (
        <p>
          <Link href={`/pets?pet=${add.data.id}`}>{isolated(add.data.name)}</Link> is animal {String(add.data.id)} of
          the store.
        </p>
      ) : (
        !isDone && (
          <>
            <Button kind="primary" isBusy={add.isPending} onClick={() => add.mutate()}>
              Add Rex, a dog
            </Button>
            <p className="soft">Or from a terminal:</p>
            <Code text={curlLine('POST', '/pets', FIRST)} what="the command that adds an animal" />
          </>
        )
      )}
      {add.error && <ErrorNote error={add.error} />}
    </Step>
  );
};

export const IssueKey = ({ onIssued }: { onIssued: (secret: string | null) => void }) => {
  const { petstore, me } = useSession();
  const queries = useQueryClient();
  const issue = useMutation({
    // In the current store: on staging, a new key would otherwise get its own store.
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
    <Step title="Issue a key for a program" isDone={issue.isSuccess}>
      {issue.data ? (
        <>
          <p>This is the key. It is shown this once: the service keeps only its hash.</p>
          <Code text={String(issue.data.key)} what="the key" />
        </>
      ) : (
        <form onSubmit={submit}>
          <Field
            label="What the key is for"
            hint="It may read and change animals and orders, 60 times a minute. More can be set under Keys."
            error={errors.name}
          >
            <input name="name" defaultValue="My first program" required maxLength={255} autoComplete="off" />
          </Field>
          <Button type="submit" isBusy={issue.isPending}>
            Issue the key
          </Button>
          {issue.error && !errors.name && <ErrorNote error={issue.error} />}
        </form>
      )}
    </Step>
  );
};

/** The newest added pet, except the one that step one adds with the key of this page. */
const useArrival = (onArrived: () => void): LiveEvent | undefined => {
  const { me } = useSession();
  const [arrived, setArrived] = useState<LiveEvent>();
  useEvents(['pet.created'], (event) => {
    const { object } = event.data;
    if ('name' in object && object.name === FIRST.name && event.actor?.keyId === me.id) return;
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
    <Step title="Make a first call from your own terminal" isDone={arrived !== undefined}>
      <p className="row">
        Give your terminal {secret ? 'the new key' : 'the key you signed in with'}:{' '}
        <CopyButton text={`export API_KEY='${secret ?? own}'`} what="the line" label="Copy export API_KEY=…" />
      </p>
      <p>Then add an animal:</p>
      <Code text={curlLine('POST', '/pets', { name: 'Mia', categoryId: 2 })} what="the first call" />
      <p role="status">
        {arrived && 'name' in arrived.data.object ? (
          <>
            <Badge tone="good" shape="✓">
              It has arrived
            </Badge>
            : <Link href={`/pets?pet=${arrived.data.object.id}`}>{isolated(arrived.data.object.name ?? '')}</Link>, by
            the key <code>{arrived.actor?.keyId}</code>, request <code>{arrived.requestId}</code>.
          </>
        ) : isWatching ? (
          <Badge tone="warn" shape="◌">
            Waiting for it: this page hears of it as it happens.
          </Badge>
        ) : (
          <>
            Then it stands under <Link href="/pets">Pets</Link>.
          </>
        )}
      </p>
    </Step>
  );
};
