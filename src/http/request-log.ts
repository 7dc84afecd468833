import type { Log } from '../log.ts';

type RequestLine = {
  requestId: string;
  method: string;
  /** Without the query: a caller may put anything there, a key included. */
  path: string;
  status: number;
  durationMs: number;
  operation: string | undefined;
  keyId: string | undefined;
  address: string;
  callerRequestId: string | undefined;
};

export type RequestLog = {
  request(line: RequestLine): void;
  /** The cause of an answer whose body does not tell it. */
  failure(requestId: string, cause: unknown): void;
};

const MOST_CHARACTERS = 200;

export const createRequestLog = (log: Log): RequestLog => ({
  request: (line) =>
    log.info('request', {
      ...line,
      path: line.path.slice(0, MOST_CHARACTERS),
      durationMs: Math.round(line.durationMs * 1000) / 1000,
      callerRequestId: line.callerRequestId?.slice(0, MOST_CHARACTERS),
    }),
  failure: (requestId, cause) =>
    log.error('failure', { requestId, error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
});
