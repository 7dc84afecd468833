import { createThrottledNetworks } from '../src/http/overload/gate.ts';
import type { Service } from '../src/http/service.ts';
import { createMemoryLimiter } from '../src/limits/limiter.memory.ts';
import { createTestClock } from './clock.ts';

const nothing = () => undefined;
const nowhere = async () => undefined;

export const stubService = (parts: Partial<Service> = {}): Service => {
  const clock = createTestClock();
  const createLimiter = () =>
    createMemoryLimiter({ clock, tallies: new Map(), saveWindows: nowhere, saveBan: nowhere });
  return {
    randomText: (length) => '0'.repeat(length),
    trusted: undefined,
    elapsed: () => 0,
    baseUrl: () => '',
    continueTrace: nothing,
    gate: { isOpen: () => true } as never,
    authenticate: () => {
      throw new Error('no caller');
    },
    limiter: createLimiter(),
    pageLimiter: createLimiter(),
    throttled: createThrottledNetworks(clock),
    throttledForPages: createThrottledNetworks(clock),
    rehearsedDate: undefined,
    clock,
    log: { answered: nothing, failure: nothing, reportSuppressed: nothing },
    requestMetrics: { answered: nothing, refused: nothing, shed: nothing },
    spans: undefined,
    secrets: { mask: (text) => text, mayHoldSecret: () => false },
    countUsage: nothing,
    drain: { hasBegun: false },
    refusalPacing: { wait: () => true, end: nothing },
    identifyClient: () => ({ name: 'somebody', isKnown: false, mayWrite: false }),
    ...parts,
  };
};
