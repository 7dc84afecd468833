/** The error codes are part of the public contract, so even a new code changes the contract. */
export const FAILURES = {
  invalid_json: {
    status: 400,
    meaning:
      'The body is not valid UTF-8 JSON, has too many values or nesting levels, or contains a number that is too long.',
  },
  invalid_request: { status: 400, meaning: 'The body or a header has invalid values.' },
  invalid_parameter: { status: 400, meaning: 'A query parameter is malformed, out of range or given twice.' },
  invalid_cursor: {
    status: 400,
    meaning:
      'The cursor is damaged or belongs to a different list, filter or sort order, or the `Last-Event-ID` is unknown ' +
      'or expired.',
  },
  missing_api_key: { status: 401, meaning: 'The request has no API key.' },
  invalid_api_key: { status: 401, meaning: 'The API key is malformed, unknown, expired or revoked.' },
  insufficient_scope: { status: 403, meaning: 'The API key lacks a scope that this operation requires.' },
  store_full: { status: 403, meaning: 'The store has reached its limit on pets, webhooks or events.' },
  not_found: { status: 404, meaning: 'The path is valid, but the resource does not exist.' },
  route_not_found: { status: 404, meaning: 'The path does not exist.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. `Allow` lists the methods that it supports.',
  },
  pet_not_available: { status: 409, meaning: 'The pet is pending or sold.' },
  pet_reserved: { status: 409, meaning: 'An open order holds the pet.' },
  category_in_use: { status: 409, meaning: 'The category has pets, so it cannot be deleted.' },
  invalid_status_transition: { status: 409, meaning: 'The current status does not allow this change.' },
  backup_in_progress: { status: 409, meaning: 'A backup is still running.' },
  backup_not_supported: {
    status: 409,
    meaning:
      'The service cannot back up its database, because the data is in PostgreSQL, or because the service runs as a demo.',
  },
  idempotency_in_progress: { status: 409, meaning: 'The first request with this idempotency key is still running.' },
  admin_key: { status: 409, meaning: 'The admin key cannot be changed over HTTP.' },
  operation_removed: { status: 410, meaning: 'The operation was deprecated and has been removed.' },
  precondition_failed: { status: 412, meaning: 'The resource no longer matches the version in `If-Match`.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than 64 KiB (1 MiB for a batch).' },
  unsupported_media_type: { status: 415, meaning: 'The operation does not accept this media type.' },
  idempotency_key_reused: { status: 422, meaning: 'The idempotency key was already used for a different request.' },
  rate_limit_exceeded: { status: 429, meaning: 'The limit on requests per minute has been reached.' },
  daily_quota_exceeded: { status: 429, meaning: 'The limit on requests per day has been reached.' },
  api_key_banned: {
    status: 429,
    meaning: 'The key kept sending requests after 429 responses and is temporarily banned.',
  },
  too_many_streams: {
    status: 429,
    meaning: 'The plan, the store or the service has reached its limit on open event streams.',
  },
  internal_error: { status: 500, meaning: 'The service failed. Report the request id.' },
  unavailable: {
    status: 503,
    meaning: 'The service cannot handle the request right now. Retry after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type FailureCode = keyof typeof FAILURES;

export type Fault = { detail: string } & (
  | { field: readonly PropertyKey[] }
  | { parameter: string }
  | { header: string }
);

type FailureOptions = { retryAfterSeconds?: number; faults?: readonly Fault[]; cause?: unknown; isLogged?: boolean };

/** Callers see the message of a `Failure`. For any other error, they get the status 500 without details. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly retryAfterSeconds: number | undefined;
  readonly faults: readonly Fault[];
  readonly isLogged: boolean;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    const { retryAfterSeconds, faults = [], cause, isLogged = false } = options;
    super(message, { cause });
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.faults = faults;
    this.isLogged = isLogged;
  }

  get status(): number {
    return FAILURES[this.code].status;
  }
}

/** Limits how many faults the message and `errors` contain, so that a response is not larger than its request. */
const MAX_IN_WORDS = 20;
const MAX_AS_DATA = 100;

const placeOf = (fault: Fault): string => {
  if ('parameter' in fault) return fault.parameter;
  if ('header' in fault) return fault.header;
  const parts = fault.field.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return parts.join('').replace(/^\./, '') || 'body';
};

const formatRows = (rows: readonly number[]): string => {
  const runs: [first: number, last: number][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run && row - run[1] <= 1) run[1] = row;
    else runs.push([row, row]);
  }
  return `[${runs.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')}]`;
};

const formatRest = (faults: readonly Fault[]): string => {
  const fields = faults.map((fault) => ('field' in fault ? fault.field : []));
  const [list] = fields[0] ?? [];
  const rows = fields.flatMap(([name, row]) => (name === list && typeof row === 'number' ? [row] : []));
  const where = rows.length === faults.length ? `, in ${String(list)}${formatRows(rows)}` : '';
  return `and ${faults.length} more${where}`;
};

export const faulty = (code: FailureCode, ...faults: readonly Fault[]): Failure => {
  const words = faults.slice(0, MAX_IN_WORDS).map((fault) => `${placeOf(fault)}: ${fault.detail}`);
  if (faults.length > MAX_IN_WORDS) words.push(formatRest(faults.slice(MAX_IN_WORDS)));
  return new Failure(code, words.join('; '), { faults: faults.slice(0, MAX_AS_DATA) });
};

export const faultyField = (field: string, detail: string): Failure =>
  faulty('invalid_request', { field: [field], detail });

const LISTS = {
  pet: 'GET /pets lists all pets',
  category: 'GET /categories lists all categories',
  order: 'GET /store/orders lists all orders',
  key: 'GET /keys lists all keys',
  webhook: 'GET /webhooks lists all webhooks',
  delivery: 'GET /webhooks/{webhookId}/deliveries lists all deliveries',
  event: 'GET /events lists all events',
};

export const orNotFound = <Row>(row: Row | undefined, noun: keyof typeof LISTS, id: bigint | string): Row => {
  if (row !== undefined) return row;
  const name = typeof id === 'string' ? JSON.stringify(id) : id;
  const given = noun === 'event' ? 'sequence' : 'id';
  throw new Failure('not_found', `There is no ${noun} with the ${given} ${name}. ${LISTS[noun]}.`);
};
