import type { Contract } from '../kernel/contract.ts';
import { FAILURES, type FailureCode } from '../kernel/failure.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { COMMON_FAILURES, failuresOf } from './contract-failures.ts';
import { type Json, ref, type SchemaOf } from './openapi.schemas.ts';
import { type Part, pascal } from './openapi.sharing.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

const headersOf = (names: readonly string[]): Json =>
  Object.fromEntries([...ANSWER_HEADERS, ...names].map((name) => [name, ref('headers', name)]));

/** By the word of HTTP for what any operation may answer, and by its codes for what is an operation's own. */
const nameOf = (status: number, codes: readonly FailureCode[]): string => {
  const names = codes.map((code) => pascal(COMMON_FAILURES.includes(code) ? (STATUS_CODES[status] ?? code) : code));
  return [...new Set(names)].join('Or');
};

const HEADERS_BY_STATUS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const failuresByStatus = (contract: Contract) => Map.groupBy(failuresOf(contract), (code) => FAILURES[code].status);

/** One refusal for each status, with the codes that the operation can have there. */
const refusalsOf = (contract: Contract): [number, Part][] => {
  const deprecation = contract.deprecation ? ['Deprecation', 'Sunset', 'Link'] : [];
  return [...failuresByStatus(contract)].map(([status, codes]) => [
    status,
    {
      name: nameOf(status, codes),
      value: {
        description: codes.map((code) => `\`${code}\`: ${FAILURES[code].meaning}`).join(' '),
        headers: headersOf([...(HEADERS_BY_STATUS[status] ?? []), ...deprecation]),
        content: {
          'application/json': {
            schema: ref('schemas', `${nameOf(status, codes)}Error`),
            examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
          },
          'application/problem+json': { schema: ref('schemas', 'Problem') },
        },
      },
    },
  ]);
};

const answersOf = (contract: Contract, schemaOf: SchemaOf): [number, Part][] => {
  const { status, description, body, headers = [] } = contract.answer;
  const named: string[] = [...headers];
  if (contract.paged) named.push('Link');
  if (contract.method === 'POST') named.push('Idempotent-Replayed');
  if (contract.deprecation) named.push('Deprecation', 'Sunset', 'Link');
  const type = contract.stream ? 'text/event-stream' : 'application/json';
  const content = body && { content: { [type]: { schema: schemaOf(body) } } };
  const part = (words: string, rest: Json | undefined): Part => ({
    name: pascal(words.replace(/^(The|A) /, '')),
    value: { description: words, headers: headersOf(named), ...rest },
  });
  const unchanged = contract.method === 'GET' && headers.includes('ETag');
  return [
    [status, part(description, content)],
    ...(unchanged ? [[304, part('The caller has this version already.', undefined)] as [number, Part]] : []),
  ];
};

/** Every answer of an operation, by its status. */
export const responsesOf = (contract: Contract, schemaOf: SchemaOf): Record<string, Part> =>
  Object.fromEntries(
    [...answersOf(contract, schemaOf), ...refusalsOf(contract)].map(([status, part]) => [String(status), part]),
  );

/**
 * What each refusal is: an `Error` with one of its codes. They have names of their own because generators take what stands
 * beside a reference for all there is.
 */
export const refusalSchemas = (contracts: readonly Contract[]): Json => {
  const refusals = contracts.flatMap((contract) => [...failuresByStatus(contract)]);
  return Object.fromEntries(
    refusals.map(([status, codes]) => [
      `${nameOf(status, codes)}Error`,
      {
        description: `An \`Error\` with the status ${status}.`,
        allOf: [ref('schemas', 'Error'), { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
      },
    ]),
  );
};

/** An example of each refusal that the operations can answer with. */
export const refusalExamples = (contracts: readonly Contract[]): Json => {
  const codes = new Set(contracts.flatMap(failuresOf));
  const used = (Object.keys(FAILURES) as FailureCode[]).filter((code) => codes.has(code));
  return Object.fromEntries(
    used.map((code) => {
      const { status, meaning } = FAILURES[code];
      return [code, { value: { code, message: meaning, status } }];
    }),
  );
};
