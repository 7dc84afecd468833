import type { InputOf, Scope } from '../../kernel/contract.ts';
import { type EventKind, READING_SCOPES } from '../../kernel/event.ts';
import { faulty } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { formatCount } from '../../kernel/schema.ts';
import { type CountRange, type EventCount, MAX_PERIODS, PERIOD_MS, toEventCountsBody } from './counts.ts';
import { OPERATORS_TYPE } from './event.ts';
import { countEventsContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

const WEEK_MS = 7 * PERIOD_MS.day;

const rangeOf = ({ from, to, by }: InputOf<typeof countEventsContract>['query'], now: number): CountRange => {
  const ms = PERIOD_MS[by];
  const end = Math.ceil((to ?? now) / ms) * ms;
  const start = Math.floor((from ?? (to ?? now) - WEEK_MS) / ms) * ms;
  if (start >= end) throw faulty('invalid_parameter', { parameter: 'from', detail: 'must be before `to`' });
  const periods = (end - start) / ms;
  if (periods > MAX_PERIODS) {
    const advice = by === 'hour' ? '; to cover a longer time, set `by` to `day`' : '';
    const detail = `must be at most ${formatCount(MAX_PERIODS)} periods before \`to\`, not ${formatCount(periods)}${advice}`;
    throw faulty('invalid_parameter', { parameter: 'from', detail });
  }
  return { period: by, from: start, to: end };
};

const canRead = (scopes: readonly Scope[], kind: EventCount['kind']): boolean =>
  kind === 'sold' ||
  scopes.includes(READING_SCOPES[kind.split('.')[0] as EventKind]) ||
  (scopes.includes('events:read') && !OPERATORS_TYPE.test(kind));

type Repositories = { events: EventReads; now: Clock };

export const countEvents = reads(countEventsContract, async (repositories: Repositories, { query }, { scopes }) => {
  const range = rangeOf(query, repositories.now());
  const counts = await repositories.events.counts(range);
  const shown = counts.filter(({ kind }) => canRead(scopes, kind));
  return { body: toEventCountsBody(range, shown) };
});
