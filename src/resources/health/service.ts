import { z } from 'zod';
import { type BodyOf, ENVIRONMENTS } from '../../kernel/contract.ts';
import { EXAMPLE, instant, objectOf } from '../../kernel/schema.ts';

const SETTING = { name: 'PETSTORE_EVENT_DAYS', value: '400', source: 'default', secret: false } as const;

const setting = objectOf(SETTING, 'Setting', 'One setting of the service.', {
  name: z.string().describe('Name of the environment variable.'),
  value: z
    .string()
    .nullable()
    .describe(
      'The value, without user names and passwords; null if it is secret, or if it is not set and has no default.',
    ),
  source: z.enum(['default', 'set']).describe('Whether the operator set the value.'),
  secret: z.boolean().describe('Whether the value is secret. Secret values are never shown.'),
});

const SERVICE = {
  ...{ version: '1.0.0', commit: null, runtime: 'bun 1.4.4', environment: 'production', engine: 'sqlite' },
  ...{ schema: 1, startedAt: EXAMPLE.time, settings: [SETTING] },
};

export const serviceBody = objectOf(SERVICE, 'Service', 'The process that answered, and its settings.', {
  version: z.string().describe('Version of the program.'),
  commit: z.string().nullable().describe('Commit that the program was built from; null if unknown.'),
  runtime: z.string().describe('Name and version of the runtime.'),
  environment: z.enum(ENVIRONMENTS).describe('Production or staging.'),
  engine: z.enum(['sqlite', 'postgres']).describe('The database engine.'),
  schema: z.int32().describe('Version of the database schema that the program uses.'),
  startedAt: instant.describe('When the process started.'),
  settings: z.array(setting).describe('All settings, with the values that are in effect.'),
});

export type ServiceFacts = BodyOf<typeof serviceBody>;
