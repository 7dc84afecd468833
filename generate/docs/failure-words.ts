import type { FAILURES, FailureCode } from '../../src/kernel/failure.ts';

export type Status = (typeof FAILURES)[FailureCode]['status'];

/** Title and headers of each status. A missing status does not compile. */
export const STATUSES: Record<Status, { title: string; headers?: string }> = {
  400: { title: 'Bad Request' },
  401: { title: 'Unauthorized', headers: '`WWW-Authenticate` says how to authenticate.' },
  403: { title: 'Forbidden' },
  404: { title: 'Not Found' },
  405: { title: 'Method Not Allowed' },
  409: { title: 'Conflict' },
  410: { title: 'Gone', headers: '`Link` with `rel="successor-version"` points to its replacement.' },
  412: { title: 'Precondition Failed' },
  413: { title: 'Content Too Large' },
  415: { title: 'Unsupported Media Type' },
  422: { title: 'Unprocessable Content' },
  429: {
    title: 'Too Many Requests',
    headers: '`Retry-After` is the number of seconds until requests are accepted again.',
  },
  500: { title: 'Internal Server Error' },
  503: {
    title: 'Service Unavailable',
    headers: '`Retry-After` is the number of seconds to wait before the next attempt.',
  },
};

/** What to do about each failure. */
export const ADVICE: Record<FailureCode, string> = {
  invalid_json: 'Send JSON in UTF-8, within the limits in the message.',
  invalid_request: 'Correct every field that the message lists.',
  invalid_parameter: 'Correct the parameter in the message.',
  invalid_cursor: 'Start again at the first page. Take cursors only from the `Link` header.',
  missing_api_key: 'Send `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'Check the key, or ask the operator for a new one. Do not retry with the same key.',
  insufficient_scope: 'Use a key with the scope in the message.',
  store_full: 'Delete pets or webhooks, or ask the operator for a larger plan. `GET /usage` shows the limit.',
  not_found: 'Check the id. A key finds nothing that belongs to another store.',
  route_not_found: 'Compare the path with `/openapi.json`. A trailing slash makes it a different path.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  pet_not_available: 'Choose another pet.',
  pet_reserved: 'Change the pet through its order, or wait until the order ends.',
  invalid_status_transition: 'Read the current status, and decide again.',
  idempotency_in_progress: 'Wait a moment and send the same request again.',
  admin_key: 'Set `PETSTORE_ADMIN_KEY` and restart the service to replace the admin key.',
  operation_removed: 'Use the operation that replaces it.',
  precondition_failed: 'Read the resource again, apply your change to it, and send its new `ETag`.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  idempotency_key_reused: 'Use a new idempotency key for every new request.',
  rate_limit_exceeded: 'Wait for `Retry-After`; back off exponentially if it happens again.',
  daily_quota_exceeded: 'Wait for `Retry-After`, or ask the operator for a larger plan.',
  api_key_banned: 'Stop, and wait for `Retry-After`. Requests during a ban do not prolong it.',
  too_many_streams: 'Close a stream, or wait for `Retry-After`. Ask the operator for a larger plan if you need more.',
  internal_error: 'Report the `X-Request-Id`. Reads can be retried. A write may or may not have been made.',
  unavailable: 'Wait for `Retry-After` and send the request again.',
};
