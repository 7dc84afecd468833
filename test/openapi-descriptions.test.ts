import { describe, expect, test } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { eventBodies } from '../src/resources/events/event.body.ts';
import { readDocument } from './documents.ts';
import { joinParts, resolveReference } from './resolve-reference.ts';

type Json = Record<string, any>;

const document: Json = JSON.parse(readDocument('openapi.json'));

const resolve = (value: Json): Json => resolveReference(document, value);
const operations = (): Json[] => Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));

const walk = function* (schema: Json, way: string): Generator<[string, Json]> {
  if (schema.$ref !== undefined) return;
  yield [way, schema];
  for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) yield* walk(inner, `${way}.${name}`);
  const { items, additionalProperties, anyOf, oneOf } = schema;
  const parts = [items, additionalProperties, anyOf, oneOf].flat().filter((part) => typeof part === 'object');
  for (const inner of parts) yield* walk(inner, `${way}[]`);
};

const schemas = (): [string, Json][] => {
  const named = Object.entries<Json>(document.components.schemas);
  const inPlace = operations().flatMap(({ operationId, requestBody, responses }): [string, Json][] => {
    const bodies = [requestBody ?? {}, ...Object.values<Json>(responses)].map(resolve);
    const contents = bodies.flatMap(({ content }) => Object.values<Json>(content ?? {}));
    return contents.map(({ schema }) => [operationId, schema]);
  });
  return [...named, ...inPlace].flatMap(([name, schema]) => [...walk(joinParts(document, schema), name)]);
};

const isDescribed = (part: Json): boolean => /\S/.test(part.description ?? resolve(part).description ?? '');

const exampleOf = (given: Json): unknown => {
  const {
    examples,
    enum: values,
    items,
    oneOf,
    anyOf,
    properties,
  } = joinParts(document, { ...resolve(given), ...given });
  if (examples) return examples[0];
  if (values?.length === 1) return values[0];
  const [first] = oneOf ?? anyOf ?? [items];
  const inner = first && exampleOf(first);
  if (first) return items && inner !== undefined ? [inner] : inner;
  const fields = Object.entries<Json>(properties ?? {}).map(([name, field]) => [name, exampleOf(field)]);
  return properties && fields.every(([, value]) => value !== undefined) ? Object.fromEntries(fields) : undefined;
};

const FORMATS = {
  'date-time': (text: string) => /^\d{4}-.*T.*Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
};

describe('in the OpenAPI document', () => {
  test('every property has a description', () => {
    const found = schemas().flatMap(([way, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(([, property]) => !isDescribed(property))
        .map(([name]) => `${way}.${name}`),
    );
    expect(found).toEqual([]);
  });

  test('every parameter, named schema and header has a description', () => {
    const parameters = operations().flatMap(({ operationId, parameters: given = [] }) =>
      given.map(resolve).map((parameter: Json): [string, Json] => [`${operationId} ${parameter.name}`, parameter]),
    );
    const { schemas: named, headers } = document.components;
    const all = [...parameters, ...Object.entries<Json>(named), ...Object.entries<Json>(headers)];
    expect(all.filter(([, part]) => !isDescribed(part)).map(([name]) => name)).toEqual([]);
  });

  test('every object has a name and an example', () => {
    const names = Object.keys(document.components.schemas);
    const objects = schemas().filter(([, schema]) => schema.properties);
    expect(objects.length).toBeGreaterThan(20);
    expect(objects.map(([way]) => way).filter((way) => !names.includes(way))).toEqual([]);
    // `EventEnvelope` is used only as a part of other schemas, so it needs no example.
    const shown = objects.filter(([way]) => way !== 'EventEnvelope');
    expect(shown.filter(([, schema]) => exampleOf(schema) === undefined).map(([way]) => way)).toEqual([]);
  });

  test('every 2xx response body and every request body has an example', () => {
    const bodies = operations().flatMap(({ operationId, requestBody, responses }) => {
      const answers = Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'));
      return [...answers.map(([, answer]) => answer), ...(requestBody ? [requestBody] : [])].flatMap((body) =>
        Object.values<Json>(resolve(body).content ?? {}).map((content): [string, Json] => [operationId, content]),
      );
    });
    expect(bodies.length).toBeGreaterThan(operations().length);
    expect(bodies.filter(([, { schema }]) => exampleOf(schema) === undefined).map(([id]) => id)).toEqual([]);
  });

  test('every example matches its schema, including formats', () => {
    const ajv = new Ajv2020({ strict: false, formats: FORMATS, logger: false });
    ajv.addSchema({ $id: 'document', ...document });
    const wrong: string[] = [];
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      const example = exampleOf(schema);
      const isRight = ajv.validate(`document#/components/schemas/${name}`, example);
      if (example !== undefined && !isRight) wrong.push(`${name}: ${ajv.errorsText()}`);
    }
    expect(wrong).toEqual([]);
  });

  test('every event type shows its own example, even when composed of several schemas', () => {
    const bodies = Object.values(eventBodies());
    expect(bodies).toHaveLength(EVENT_TYPES.length);
    for (const body of bodies) {
      const { id, examples } = body.meta() ?? {};
      expect([id, exampleOf({ $ref: `#/components/schemas/${id}` })]).toEqual([id, (examples as unknown[])[0]]);
    }
  });

  test('every integer has a format or a maximum, and no date-time has a pattern', () => {
    const integers = schemas().filter(([, { type }]) => [type].flat().includes('integer'));
    expect(integers.filter(([, { format, maximum }]) => !format && !(maximum < 2 ** 31)).map(([way]) => way)).toEqual(
      [],
    );
    const times = schemas().filter(([, { format }]) => format === 'date-time');
    expect(times.filter(([, { pattern }]) => pattern !== undefined)).toEqual([]);
  });

  test('no schema has a default, because generated types would make the field required', () => {
    expect(schemas().filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  test('every operation has a short, unique summary', () => {
    const titles = operations().map(({ summary }) => summary);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z][a-z]+ [a-z' ]{2,40}$/);
  });
});
