import { z } from 'zod';

/** A refusal in the interface's own form. */
export const errorBody = z
  .object({
    code: z
      .string()
      .meta({ description: 'Machine-readable error code.', examples: ['not_found'], 'x-extensible': true }),
    message: z.string().meta({ description: 'Human-readable description.', examples: ['There is no pet 7.'] }),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: 'The HTTP status code.', examples: [404] }),
  })
  .meta({
    id: 'Error',
    description: 'Why a request was refused, and what to change.',
    examples: [{ code: 'not_found', message: 'There is no pet 7.', status: 404 }],
  });

const problemField = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: 'The field of the body, as a JSON Pointer (RFC 6901).', examples: ['#/name'] }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'The parameter of the query.', examples: ['limit'] }),
    header: z
      .string()
      .optional()
      .meta({ description: 'The header.', examples: ['If-Match'] }),
    detail: z.string().meta({ description: 'What is wrong with it.', examples: ['must be a string'] }),
  })
  .meta({
    id: 'ProblemField',
    description: 'One thing that is wrong, and where it stands.',
    examples: [{ pointer: '#/name', detail: 'must be a string' }],
  });

/** The same refusal by RFC 9457, for whoever prefers `application/problem+json`. */
export const problemBody = z
  .object({
    type: z.string().meta({ description: 'The page of the code.', format: 'uri-reference' }),
    title: z.string().meta({ description: 'What the code means.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code.' }),
    detail: z.string().meta({ description: 'What to change.' }),
    code: z.string().meta({ description: 'The code that `Error` has.' }),
    instance: z.string().meta({ description: 'The id of the request.', format: 'uri-reference' }),
    errors: z.array(problemField).optional().meta({ description: 'Everything that is wrong, where it can be named.' }),
  })
  .meta({
    id: 'Problem',
    description: 'The refusal as problem details (RFC 9457): for `Accept: application/problem+json`.',
    examples: [
      {
        type: '/docs/errors#invalid_request',
        title: 'The body or a header holds values the operation does not take.',
        status: 400,
        detail: 'name: must be a string',
        code: 'invalid_request',
        instance: 'req_4fJq0Zy8wB2mT6xLk1NvR9cS',
        errors: [{ pointer: '#/name', detail: 'must be a string' }],
      },
    ],
  });
