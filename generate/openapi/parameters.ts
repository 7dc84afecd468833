import type { z } from 'zod';
import type { Contract } from '../../src/kernel/contract.ts';
import { PAGE_PARAMETERS } from '../../src/kernel/page.ts';
import type { Json, SchemaOf } from './schemas.ts';
import { type Part, pascal } from './sharing.ts';

const header = (name: string, description: string, schema: Json): Part => ({
  name,
  value: { name, in: 'header', description, schema: { type: 'string', ...schema } },
});

const IF_NONE_MATCH = header(
  'If-None-Match',
  'The `ETag` of your version. If the resource has not changed, the response is 304 without a body.',
  { examples: ['"7"'] },
);

const TAG = '(W/)?"[!#-~]*"';
const IF_MATCH_PATTERN = `^(\\*|${TAG}([ \\t]*,[ \\t]*${TAG})*)$`;

const IF_MATCH = header(
  'If-Match',
  'The `ETag` of the version to change. If the resource has changed, the response is 412. Accepts `*`, or several ' +
    'ETags separated by commas.',
  { pattern: IF_MATCH_PATTERN, examples: ['"7"'] },
);

const LAST_EVENT_ID = header(
  'Last-Event-ID',
  'The last event that you received: its sequence number, which the stream sends as `id`, or its event id. The stream ' +
    'resumes after that event, without a gap.',
  { pattern: '^(0|[1-9][0-9]{0,18}|evt_[0-9A-Za-z]{24})$', examples: ['1042'] },
);

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Makes retries safe: the same request with the same key within 24 hours returns the first response again. Visible ASCII ' +
    'characters; surrounding quotes are not part of the key.',
  { minLength: 1, maxLength: 255, pattern: '^[!#-~][!-~]*$', examples: ['6f1c7a52-0b8e-4c53-9a57-3f0d2f7a9c11'] },
);

const parameterPart =
  (place: 'path' | 'query', schemaOf: SchemaOf) =>
  ([name, schema]: [string, z.ZodType]): Part => {
    const { description, 'x-stability': stability, ...rest } = schemaOf(schema);
    const seen = description ?? schema.meta()?.description;
    return {
      // The parameter `order` must not get the component name `Order`, because that is the name of a schema.
      name: name in PAGE_PARAMETERS ? pascal(`page ${name}`) : name,
      value: {
        name,
        in: place,
        ...(place === 'path' ? { required: true } : {}),
        ...(seen ? { description: seen } : {}),
        ...(stability ? { 'x-stability': stability } : {}),
        ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
        schema: rest,
      },
    };
  };

export const parametersOf = (
  { method, input, answer, paged, guarded, stream }: Contract,
  schemaOf: SchemaOf,
): Part[] => {
  const query = { ...input.query, ...(paged ? PAGE_PARAMETERS : {}) };
  return [
    ...Object.entries(input.path ?? {}).map(parameterPart('path', schemaOf)),
    ...Object.entries(query).map(parameterPart('query', schemaOf)),
    ...(method === 'GET' && answer.headers?.includes('ETag') ? [IF_NONE_MATCH] : []),
    ...(guarded ? [IF_MATCH] : []),
    ...(stream ? [LAST_EVENT_ID] : []),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
  ];
};
