import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecentRequest, RecentRequests } from '../../client/src/index.ts';
import { Badge, type Tone } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { texts } from './texts.ts';

const REFRESH_MS = 10_000;
const FEW = 10;

const showTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const timeOf = (at: string) => showTime.format(new Date(at));

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

const addressesIn = (requests: readonly RecentRequest[]): string[] =>
  [...Map.groupBy(requests, ({ address }) => address)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([address, its]) => texts.requests.from(address, its.length));

type Choice = keyof typeof texts.requests.choices;
const CHOICES = Object.keys(texts.requests.choices) as Choice[];

const FITS: Record<Choice, (request: RecentRequest) => boolean> = {
  all: () => true,
  changes: ({ method }) => method !== 'GET' && method !== 'HEAD',
  failed: ({ status }) => status >= 400,
};

const summaryOf = (all: readonly RecentRequest[], shown: readonly RecentRequest[], choice: Choice): string => {
  if (all.length === 0) return texts.requests.none;
  return shown.length === 0 ? texts.requests.noneShown[choice] : addressesIn(shown).join(' · ');
};

const Line = ({ of }: { of: RecentRequest }) => (
  <li>
    <code>{`${of.method} ${of.path}`}</code>
    <Badge tone={toneOf(of.status)}>{of.code === null ? of.status : `${of.status} ${of.code}`}</Badge>
    <span className="soft">
      <time dateTime={of.timestamp}>{timeOf(of.timestamp)}</time>
      {texts.requests.details(of.address, of.durationMs)}
      <code>{of.requestId}</code>
    </span>
  </li>
);

export const RequestLog = ({ of, ask }: { of: string; ask: () => Promise<RecentRequests> }) => {
  const [isWhole, setWhole] = useState(false);
  const [chosen, setChosen] = useState<Choice>();
  const { data, error, refetch } = useQuery({ queryKey: ['requests', of], queryFn: ask, refetchInterval: REFRESH_MS });
  const all = data?.requests ?? [];
  const choice = chosen ?? 'all';
  // An open console sends so many reads that the changes would be hard to find among them. The choice is made only once,
  // so that the list does not change while it is being read.
  if (data && chosen === undefined) setChosen(all.some(FITS.changes) ? 'changes' : 'all');
  const requests = all.filter(FITS[choice]);
  return (
    <section aria-label={texts.requests.title}>
      <div className="row head">
        <h3>{texts.requests.title}</h3>
        <fieldset className="segments push">
          <legend className="unseen">{texts.requests.shown}</legend>
          {CHOICES.map((one) => (
            <label key={one}>
              <input type="radio" name="requests" checked={chosen === one} onChange={() => setChosen(one)} />
              {texts.requests.choices[one]}
            </label>
          ))}
        </fieldset>
      </div>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data && (
        <div className="stack">
          <p>{summaryOf(all, requests, choice)}</p>
          <ol className="items trail requests">
            {requests.slice(0, isWhole ? undefined : FEW).map((request) => (
              <Line key={request.requestId} of={request} />
            ))}
          </ol>
          {requests.length > FEW && !isWhole && (
            <Button onClick={() => setWhole(true)}>{texts.requests.all(requests.length)}</Button>
          )}
          <p className="soft small">{texts.requests.note(timeOf(data.since))}</p>
        </div>
      )}
    </section>
  );
};
