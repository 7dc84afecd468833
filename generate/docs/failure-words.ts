import type { FAILURES, FailureCode } from '../../src/kernel/failure.ts';

export type Status = (typeof FAILURES)[FailureCode]['status'];

export const STATUSES: Record<Status, { title: string; headers?: string }> = {
  400: { title: 'Bad Request' },
  401: { title: 'Unauthorized', headers: '`WWW-Authenticate` names the authentication scheme.' },
  403: { title: 'Forbidden' },
  404: { title: 'Not Found' },
  405: { title: 'Method Not Allowed' },
  409: { title: 'Conflict' },
  410: { title: 'Gone', headers: '`Link` with `rel="successor-version"` points to the replacement.' },
  412: { title: 'Precondition Failed' },
  413: { title: 'Content Too Large' },
  415: { title: 'Unsupported Media Type' },
  422: { title: 'Unprocessable Content' },
  429: {
    title: 'Too Many Requests',
    headers: '`Retry-After` is the number of seconds until requests are accepted again.',
  },
  500: { title: 'Internal Server Error' },
  503: { title: 'Service Unavailable', headers: '`Retry-After` is the number of seconds to wait before you retry.' },
};

export const ADVICE: Record<FailureCode, string> = {
  invalid_json: 'Send UTF-8 JSON within the limits that the message names.',
  invalid_request: 'Correct every field that the message lists.',
  invalid_parameter: 'Correct the parameter that the message names.',
  invalid_cursor:
    'Start again at the first page, and use only cursors from the `Link` header. For a stream, start without ' +
    '`Last-Event-ID`.',
  missing_api_key: 'Send `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'Check the key, or ask the operator for a new one. Do not retry with the same key.',
  insufficient_scope: 'Use a key with the scope that the message names.',
  store_full:
    'Delete pets or webhooks, or ask the operator for a larger plan. `GET /usage` shows the limit. If a sandbox has reached its event ' +
    'limit, a reset does not help. Wait until the service deletes old events, or ask the operator for a key with a new sandbox.',
  not_found: 'Check the id. Resources in other stores also return 404.',
  route_not_found: 'Compare the path with `/openapi.json`. A path with a trailing slash is a different path.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  pet_not_available: 'Choose another pet: `GET /pets?status=available` lists the pets that can be ordered.',
  pet_reserved: 'Deliver or cancel the order that the message names, or wait until it expires.',
  category_in_use: 'Merge the category into another, or delete its pets.',
  invalid_status_transition:
    'Read the current status, then decide whether to retry. The message names the request that is allowed next.',
  backup_in_progress: 'Wait until `GET /backups` shows that the backup is done.',
  backup_not_supported: "On PostgreSQL, use PostgreSQL's own tools, such as `pg_dump`.",
  idempotency_in_progress: 'Wait a moment, then send the same request again.',
  admin_key: 'To replace the admin key, set `PETSTORE_ADMIN_KEY` and restart the service.',
  operation_removed: 'Use the replacement that the message names.',
  precondition_failed: 'Read the resource again, apply your change to it, and send its new `ETag`.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  idempotency_key_reused: 'Use a new idempotency key for every new request.',
  rate_limit_exceeded:
    'Wait for the number of seconds in `Retry-After`. If requests are still refused, back off exponentially.',
  daily_quota_exceeded: 'Wait for the number of seconds in `Retry-After`, or ask the operator for a larger plan.',
  api_key_banned:
    'Stop sending requests, and wait for the number of seconds in `Retry-After`. Requests during a ban do not extend it.',
  too_many_streams:
    'Close a stream, or wait for the number of seconds in `Retry-After`. If you need more streams, ask the operator for a larger plan.',
  internal_error:
    'Report the `X-Request-Id`. Retry reads. A write may have succeeded: retry a `POST` with the same `Idempotency-Key`, and other writes with `If-Match`.',
  unavailable:
    'Wait for the number of seconds in `Retry-After`, then retry. A write may have succeeded: retry a `POST` with the same `Idempotency-Key`, and other writes with `If-Match`.',
};
