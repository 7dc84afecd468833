import type { Clock } from '../../kernel/clock.ts';
import type { Verdict } from '../../limits/window.ts';

/** Of more addresses than this the oldest is forgotten: it is looked up like any other again. */
const MOST_ADDRESSES = 10_000;

/** Networks whose window for callers without a valid key this process has seen used up, each until it opens again. */
export const createThrottledNetworks = (clock: Clock) => {
  const untils = new Map<string, number>();
  return {
    note(network: string, verdict: Verdict | undefined): void {
      if (!verdict?.refused) return;
      const [oldest] = untils.keys();
      if (oldest !== undefined && untils.size >= MOST_ADDRESSES) untils.delete(oldest);
      untils.set(network, verdict.refused.until);
    },
    has: (network: string): boolean => (untils.get(network) ?? 0) > clock(),
  };
};

export type ThrottledNetworks = ReturnType<typeof createThrottledNetworks>;
