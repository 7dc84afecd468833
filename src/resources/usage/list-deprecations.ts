import type { Contract } from '../../kernel/contract.ts';
import { reads } from '../../kernel/operation.ts';
import { formatInstant } from '../../kernel/schema.ts';
import type { UsageCounter } from './counter.ts';
import { listDeprecationsContract } from './usage.contracts.ts';
import type { UsageReads } from './usage.repository.ts';
import type { DeprecatedCalls } from './usage.ts';

type Deps = { contracts: readonly Contract[]; counter: UsageCounter; rehearsedDate: number | undefined };

const joined = (calls: readonly DeprecatedCalls[]): DeprecatedCalls[] =>
  [...Map.groupBy(calls, ({ keyId }) => keyId).values()]
    .map((parts) => ({
      ...(parts[0] as DeprecatedCalls),
      calls: parts.reduce((sum, part) => sum + part.calls, 0),
      lastCalledAt: Math.max(...parts.map((part) => part.lastCalledAt)),
    }))
    .sort((a, b) => b.lastCalledAt - a.lastCalledAt);

export const listDeprecations = reads(
  listDeprecationsContract,
  async (repositories: { usage: UsageReads }, _, _call, { contracts, counter, rehearsedDate }: Deps) => {
    const { stored, pending } = await counter.readBetweenFlushes(() => repositories.usage.deprecatedCalls());
    const counted = [...stored, ...[...pending.values()].flatMap(({ deprecated }) => deprecated)];
    const body = contracts.flatMap(({ id, deprecation }) => {
      if (!deprecation) return [];
      const calls = joined(counted.filter(({ operation }) => operation === id));
      return {
        operation: id,
        deprecatedSince: deprecation.since.toISOString(),
        sunset: deprecation.sunset.toISOString(),
        rehearsedDate: rehearsedDate === undefined ? null : formatInstant(rehearsedDate),
        lastCalledAt: calls[0] ? formatInstant(calls[0].lastCalledAt) : null,
        keys: calls.map(({ keyId, calls, lastCalledAt: at }) => ({ keyId, calls, lastCalledAt: formatInstant(at) })),
      };
    });
    return { body };
  },
);
