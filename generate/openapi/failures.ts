import { CATALOGUE_SCOPES, type Contract } from '../../src/kernel/contract.ts';
import type { FailureCode } from '../../src/kernel/failure.ts';

export const COMMON_FAILURES: readonly FailureCode[] = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'rate_limit_exceeded',
  'daily_quota_exceeded',
  'api_key_banned',
  'internal_error',
  'unavailable',
];

export const failuresOf = (contract: Contract): FailureCode[] => {
  const { method, input, paged, guarded, stream, scope, deprecation, failures = [] } = contract;
  const derived: [unknown, FailureCode[]][] = [
    [input.query || paged, ['invalid_parameter']],
    [paged || stream, ['invalid_cursor']],
    [input.body, ['invalid_json', 'payload_too_large', 'unsupported_media_type']],
    // The service reads the body of every POST request to recognize repeated requests.
    [method === 'POST', ['payload_too_large']],
    [input.path, ['not_found']],
    [guarded, ['precondition_failed']],
    [method === 'POST', ['idempotency_key_reused', 'idempotency_in_progress']],
    [scope !== 'any key', ['insufficient_scope']],
    [method !== 'GET' && CATALOGUE_SCOPES.includes(scope), ['store_full']],
    [deprecation, ['operation_removed']],
  ];
  return [...new Set([...COMMON_FAILURES, ...derived.flatMap(([holds, codes]) => (holds ? codes : [])), ...failures])];
};
