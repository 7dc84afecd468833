import { z } from 'zod';
import { FAILURES, type Failure, type Fault } from '../kernel/failure.ts';
import { EXAMPLE } from '../kernel/schema.ts';
import type { Reply } from './reply.ts';

const errorOfProblem = z
  .object({
    pointer: z.string().optional().meta({
      description: 'The field of the body, as a JSON Pointer in a URI fragment (RFC 6901): `#/pets/17/name`.',
    }),
    parameter: z.string().optional().meta({ description: 'The query parameter.' }),
    header: z.string().optional().meta({ description: 'The header.' }),
    detail: z.string().meta({ description: 'What is wrong.' }),
  })
  .meta({
    id: 'ProblemError',
    description: 'One thing to change: a field of the body, a parameter or a header.',
    examples: [{ pointer: '#/name', detail: 'must be a string' }],
  });

/** The same content as `Error` in the format of RFC 9457, for clients that request it. */
export const problemBody = z
  .object({
    type: z.string().meta({ description: 'The URL of the page that explains the code.', format: 'uri-reference' }),
    title: z.string().meta({ description: 'What the code means.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code.' }),
    detail: z.string().meta({ description: 'Human-readable description.' }),
    code: z.string().meta({ description: 'The same code as in `Error`.' }),
    instance: z.string().meta({ description: 'The id of the request, as in `X-Request-Id`.', format: 'uri-reference' }),
    errors: z
      .array(errorOfProblem)
      .optional()
      .meta({ description: 'The faults, if they can be attributed to a field, parameter or header.' }),
  })
  .meta({
    id: 'Problem',
    description: 'The error as problem details (RFC 9457), for `Accept: application/problem+json`.',
    examples: [
      {
        type: '/docs/errors#invalid_request',
        title: FAILURES.invalid_request.meaning,
        status: 400,
        detail: 'name: must be a string',
        code: 'invalid_request',
        instance: EXAMPLE.requestId,
        errors: [{ pointer: '#/name', detail: 'must be a string' }],
      },
    ],
  });

type Problem = z.output<typeof problemBody>;
type ErrorOfProblem = z.output<typeof errorOfProblem>;

const pointerTo = (field: readonly PropertyKey[]): string => {
  const parts = field.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...parts.map(encodeURIComponent)].join('/');
};

const toError = (fault: Fault): ErrorOfProblem => {
  if (!('field' in fault)) return fault;
  const { field, detail } = fault;
  return { pointer: pointerTo(field), detail };
};

/** Converts a failure to the format of RFC 9457. `tell` masks and shortens a text. */
export const toProblem = (
  { code, status, message, faults }: Failure,
  { base, requestId }: { base: string; requestId: string },
  tell: (text: string) => string,
): Pick<Reply, 'mediaType' | 'body'> => {
  const body: Problem = {
    type: `${base}/docs/errors#${code}`,
    title: FAILURES[code].meaning,
    status,
    detail: tell(message),
    code,
    instance: requestId,
    ...(faults.length > 0 ? { errors: faults.map((fault) => toError({ ...fault, detail: tell(fault.detail) })) } : {}),
  };
  return { mediaType: 'application/problem+json', body };
};
