import { type Log, spellJson } from '../kernel/log.ts';
import type { SecretMask } from '../kernel/secret-mask.ts';

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
  traceId: string | undefined;
  callerRequestId: string | undefined;
};

export type RequestLog = {
  request(line: RequestLine): void;
  /** The cause of an answer whose body does not tell it. */
  failure(requestId: string, cause: unknown): void;
};

const MOST_CHARACTERS = 200;
/** Text that is spelled the same in JSON, as nearly every path is. */
const PLAIN = /^[\w/.:~-]{0,200}$/;

/** So much of a longer text is looked through for secrets: to look through megabytes would be a weapon. */
const MOST_LOOKED_THROUGH = 1000;

/** Text from outside, of a bounded length. A secret is masked before the text is cut: half of one is one, too. */
const createQuote =
  ({ mask }: SecretMask) =>
  (text: string): string =>
    PLAIN.test(text) ? `"${text}"` : spellJson(mask(text.slice(0, MOST_LOOKED_THROUGH)).slice(0, MOST_CHARACTERS));

/** `.000` to `.999`: to spell a fraction anew costs more than the rest of the line. */
const THOUSANDTHS = Array.from({ length: 1000 }, (_, count) => `.${String(count).padStart(3, '0')}`);

const spellMs = (ms: number): string => {
  const micros = Math.round(ms * 1000);
  return `${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
};

export const createRequestLog = (log: Log, secrets: SecretMask): RequestLog => {
  const quote = createQuote(secrets);
  return {
    request: ({ requestId, method, path, status, durationMs, operation, keyId, address, traceId, callerRequestId }) => {
      // What comes from outside is spelled as JSON; the rest are words and numbers of ours.
      let fields = `"requestId":"${requestId}","method":${quote(method)},"path":${quote(path)},"status":${status}`;
      fields += `,"durationMs":${spellMs(durationMs)}`;
      if (operation !== undefined) fields += `,"operation":"${operation}"`;
      if (keyId !== undefined) fields += `,"keyId":"${keyId}"`;
      fields += `,"address":${quote(address)}`;
      if (traceId !== undefined) fields += `,"traceId":"${traceId}"`;
      if (callerRequestId !== undefined) fields += `,"callerRequestId":${quote(callerRequestId)}`;
      log.info('request', fields);
    },
    failure: (requestId, cause) =>
      log.error('failure', {
        requestId,
        error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      }),
  };
};
