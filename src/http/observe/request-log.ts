import type { Failure } from '../../kernel/failure.ts';
import { type Log, type SecretMask, spellJson } from '../../kernel/log.ts';
import { networkOf } from '../input/client-address.ts';
import { createLineAllowance } from './line-allowance.ts';

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
  /** Always logged. */
  isNews: boolean;
};

export type RequestLog = {
  request(line: RequestLine): void;
  /** The cause of an answer whose body does not tell it. */
  failure(requestId: string, failure: Pick<Failure, 'status' | 'cause'>): void;
  /** Logs how many lines were suppressed since the last report. */
  reportSuppressed(): void;
};

type Deps = {
  log: Log;
  secrets: SecretMask;
  /** A monotonic clock in milliseconds. */
  elapsed(): number;
  later(callback: () => void, ms: number): void;
};

/** One line per interval says how many were suppressed. */
const REPORT_MS = 10_000;

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

/**
 * Suppresses lines that a sender can cause without limit: those of callers without a valid key, a key's 429, and the
 * causes of 503. Each has its own allowance, so that strangers never suppress the line of a key.
 */
const createSuppression = ({ log, elapsed, later }: Omit<Deps, 'secrets'>) => {
  const strangers = createLineAllowance(elapsed);
  const overLimit = createLineAllowance(elapsed);
  const causes = createLineAllowance(elapsed);
  let count = 0;

  const isAllowed = ({ keyId, status, address, isNews }: RequestLine): boolean => {
    if (isNews || status === 500) return true;
    if (keyId === undefined) return strangers.take(networkOf(address));
    return status !== 429 || overLimit.take(keyId);
  };
  const report = (): void => {
    if (count > 0) log.info('request_lines_suppressed', { count });
    count = 0;
  };
  const suppress = (): true => {
    count += 1;
    if (count === 1) later(report, REPORT_MS);
    return true;
  };
  return {
    report,
    isSuppressed: (line: RequestLine): boolean => !isAllowed(line) && suppress(),
    /** While the database is away, all requests fail for one cause. An internal error is logged however many there are. */
    isCauseSuppressed: (status: number): boolean => status !== 500 && !causes.take('') && suppress(),
  };
};

export const createRequestLog = ({ log, secrets, elapsed, later }: Deps): RequestLog => {
  const quote = createQuote(secrets);
  const { isSuppressed, isCauseSuppressed, report } = createSuppression({ log, elapsed, later });
  return {
    request: (line) => {
      if (isSuppressed(line)) return;
      const { requestId, method, path, status, durationMs, operation, keyId, address, traceId, callerRequestId } = line;
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
    failure: (requestId, { status, cause }) => {
      if (isCauseSuppressed(status)) return;
      log.error('failure', {
        requestId,
        error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      });
    },
    reportSuppressed: report,
  };
};
