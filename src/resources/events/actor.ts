import { z } from 'zod';
import { EXAMPLE } from '../../kernel/schema.ts';

/** On whose behalf something happened. */
export const actorBody = z
  .object({ keyId: z.string().meta({ description: 'The identifier of the key.' }) })
  .meta({ id: 'Actor', description: 'The key behind a change.', examples: [{ keyId: EXAMPLE.keyId }] });
