import type { z } from 'zod';
import type { Schema } from '../../cli/args/json-schema.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { COMMON_FAILURES, failuresOf } from './failures.ts';
import { ANSWER_HEADERS, HEADERS } from './headers.ts';
import { type Json, ref, type SchemaOf } from './schemas.ts';
import { type Part, pascal } from './sharing.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

const headerName = (name: string): string => name.replace(/^(X-)?(RateLimit-)?/, '');

const headersOf = (names: readonly string[]): Json =>
  Object.fromEntries([...ANSWER_HEADERS, ...names].map((name) => [name, ref('headers', headerName(name))]));

export const headerComponents = (): Json =>
  Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [headerName(name), header]));

const SHARED_NAMES: Record<string, string> = {
  'invalid_request invalid_json': 'InvalidBody',
  'invalid_request invalid_parameter invalid_cursor': 'InvalidQuery',
  'insufficient_scope store_full': 'WriteForbidden',
  'idempotency_in_progress invalid_status_transition': 'StatusConflict',
};

const errorName = ({ id }: Contract, status: number, codes: readonly FailureCode[]): string => {
  const phrase = pascal(STATUS_CODES[status] ?? String(status)).replace(/Error$/, '');
  const isCommon = codes.every((code) => COMMON_FAILURES.includes(code));
  const own = codes.length === 1 ? pascal(codes[0] as string) : SHARED_NAMES[codes.join(' ')];
  return `${isCommon ? phrase : (own ?? `${pascal(id)}${phrase}`)}Error`;
};

const HEADERS_BY_STATUS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const failuresByStatus = (contract: Contract) => Map.groupBy(failuresOf(contract), (code) => FAILURES[code].status);

const refusalsOf = (contract: Contract): [number, Part][] => {
  const deprecation = contract.deprecation ? ['Deprecation', 'Sunset', 'Link'] : [];
  return [...failuresByStatus(contract)].map(([status, codes]) => [
    status,
    {
      name: String(status),
      exactName: [status, ...codes.filter((code) => !COMMON_FAILURES.includes(code))].join('-'),
      value: {
        description: codes.map((code) => `\`${code}\`: ${FAILURES[code].meaning}`).join(' '),
        headers: headersOf([...(HEADERS_BY_STATUS[status] ?? []), ...deprecation]),
        content: {
          'application/json': {
            schema: ref('schemas', errorName(contract, status, codes)),
          },
          'application/problem+json': { schema: ref('schemas', 'Problem') },
        },
      },
    },
  ]);
};

const NEW_ID = '$response.body#/id';

const LINKS: Record<string, Json> = {
  createPet: {
    read: { operationId: 'listPets', parameters: { ids: NEW_ID }, description: 'Reads the new pet.' },
    update: { operationId: 'updatePet', parameters: { petId: NEW_ID }, description: 'Changes the new pet.' },
    // This link has no `requestBody`, because openapi-generator does not accept an object there.
    order: { operationId: 'placeOrder', description: 'Orders the new pet. Pass its `id` as `petId`.' },
  },
  placeOrder: {
    read: { operationId: 'getOrder', parameters: { orderId: NEW_ID }, description: 'Reads the new order.' },
    approve: { operationId: 'approveOrder', parameters: { orderId: NEW_ID }, description: 'Approves the new order.' },
  },
};

const answersOf = (contract: Contract, schemaOf: SchemaOf): [number, Part][] => {
  const { status, description, body, headers = [] } = contract.answer;
  const named: string[] = [...headers];
  if (contract.paged) named.push('Link');
  if (contract.method === 'POST') named.push('Idempotent-Replayed');
  if (contract.deprecation) named.push('Deprecation', 'Sunset', 'Link');
  const type = contract.stream ? 'text/event-stream' : 'application/json';
  const part = (code: number, words: string, answer?: z.ZodType): Part => {
    const phrase = STATUS_CODES[code] ?? String(code);
    const { id = pascal(phrase), description: seen = phrase } = answer?.meta() ?? {};
    return {
      name: id,
      value: {
        description: words,
        headers: headersOf(named),
        ...(answer && { content: { [type]: { schema: schemaOf(answer) } } }),
        ...(code < 300 && LINKS[contract.id] && { links: LINKS[contract.id] }),
      },
      description: seen,
    };
  };
  const unchanged = contract.method === 'GET' && headers.includes('ETag');
  return [
    [status, part(status, description, body)],
    ...(unchanged ? [[304, part(304, 'Not modified since your version.')] as [number, Part]] : []),
  ];
};

export const responsesOf = (contract: Contract, schemaOf: SchemaOf): Record<string, Part> =>
  Object.fromEntries(
    [...answersOf(contract, schemaOf), ...refusalsOf(contract)].map(([status, part]) => [String(status), part]),
  );

// If an inline schema combines a `$ref` with an error code, client generators overlook the `$ref`. Each error response
// therefore has a named schema.
export const refusalSchemas = (contracts: readonly Contract[]): Record<string, Schema> => {
  const refusals = contracts.flatMap((contract) =>
    [...failuresByStatus(contract)].map(([status, codes]) => ({ contract, status, codes })),
  );
  return Object.fromEntries(
    refusals.map(({ contract, status, codes }) => [
      errorName(contract, status, codes),
      {
        description: `An \`Error\` with status ${status}.`,
        allOf: [ref('schemas', 'Error'), { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
        examples: codes.slice(0, 1).map((code) => ({ code, message: FAILURES[code].meaning, status })),
      },
    ]),
  );
};
