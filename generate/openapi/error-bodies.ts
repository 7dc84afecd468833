import { z } from 'zod';
import { FAILURES } from '../../src/kernel/failure.ts';
import { EXAMPLE } from '../../src/kernel/schema.ts';

const MESSAGE = 'There is no pet with the id 7. GET /pets lists all pets.';

export const errorBody = z
  .object({
    code: z
      .string()
      .meta({ description: 'Machine-readable error code.', examples: ['not_found'], 'x-extensible': true }),
    message: z.string().meta({ description: 'Human-readable description.', examples: [MESSAGE] }),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: 'The HTTP status code.', examples: [404] }),
  })
  .meta({
    id: 'Error',
    description: 'Why a request failed, and what to fix.',
    examples: [{ code: 'not_found', message: MESSAGE, status: 404 }],
  });

const errorOfProblem = z
  .object({
    pointer: z.string().optional().meta({
      description: 'The body field, as a JSON Pointer in a URI fragment (RFC 6901): `#/pets/17/name`.',
    }),
    parameter: z.string().optional().meta({ description: 'The query parameter.' }),
    header: z.string().optional().meta({ description: 'The header.' }),
    detail: z.string().meta({ description: 'What is wrong.' }),
  })
  .meta({
    id: 'ProblemError',
    description: 'One invalid body field, query parameter or header.',
    examples: [{ pointer: '#/name', detail: 'must be a string' }],
  });

export const problemBody = z
  .object({
    type: z.string().meta({ description: "The address of the code's documentation.", format: 'uri-reference' }),
    title: z.string().meta({ description: 'What the code means.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code.' }),
    detail: z.string().meta({ description: 'Human-readable description.' }),
    code: z.string().meta({ description: 'The same code as in `Error`.' }),
    instance: z.string().meta({ description: 'The `X-Request-Id` of the request.', format: 'uri-reference' }),
    errors: z
      .array(errorOfProblem)
      .optional()
      .meta({ description: 'The invalid fields, parameters and headers, if any.' }),
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
