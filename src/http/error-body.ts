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
