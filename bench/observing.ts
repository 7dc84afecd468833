import type { RequestContext } from '../src/http/context.ts';
import { createRequestMetrics } from '../src/http/observe/request-log.ts';
import { createSpans } from '../src/http/observe/spans.ts';
import { createTraces, formatTraceparent } from '../src/http/observe/trace.ts';
import type { OperationHandler } from '../src/http/routes.ts';
import { randomBytes } from '../src/kernel/builtins.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { getPetContract } from '../src/resources/pets/pets.contracts.ts';
import { median } from './compare.ts';
import type { Answer } from './questions.ts';

const MAX_MICROS = 1;
/**
 * Requests per round. With more requests, the tracer's send queue would overflow and drop spans, and tracing would look
 * cheaper than it is.
 */
const REQUESTS = 4096;
const ROUNDS = 200;

const context = (): RequestContext =>
  ({
    operation: { contract: getPetContract } as unknown as OperationHandler,
    request: new Request('http://127.0.0.1/v1/pets/1'),
    path: '/v1/pets/1',
    requestId: 'req_000000000000000000000000',
    caller: {},
    verdict: { windows: [] },
    trace: undefined,
  }) as unknown as RequestContext;

/**
 * Returns microseconds per request. Counts only the second half of the rounds, because the JIT compiler is still
 * optimizing the code during the first half.
 */
const microsOf = (begin: () => (context: RequestContext) => void): number => {
  const one = context();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const observe = begin();
    const before = performance.now();
    for (let count = 0; count < REQUESTS; count += 1) observe(one);
    return ((performance.now() - before) / REQUESTS) * 1000;
  });
  return median(rounds.slice(ROUNDS / 2));
};

const answerOf = (question: string, micros: number): Answer => ({
  question,
  promise: `≤ ${MAX_MICROS} µs`,
  answer: `${micros.toFixed(2)} µs`,
  isMet: micros <= MAX_MICROS,
});

export const askObserving = (): Answer[] => {
  const metrics = createRequestMetrics(createMetrics());
  const [none, own] = [false, true].map((beginsOwn) => createTraces(randomBytes, beginsOwn));
  const counted = microsOf(() => (one) => {
    none?.(null);
    metrics.answered(one, 200, 1);
  });
  const traced = microsOf(() => {
    const spans = createSpans({
      endpoint: 'http://127.0.0.1',
      headers: {},
      version: '1',
      clock: Date.now,
      later: () => undefined,
      log: { warn: () => undefined },
    });
    return (one) => {
      one.trace = own?.(null);
      if (one.trace) formatTraceparent(one.trace);
      spans.answered(one, 200, 1);
    };
  });
  return [
    answerOf('metrics, cost per request', counted),
    answerOf('traces, cost per request, with a collector', traced),
  ];
};
