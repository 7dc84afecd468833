import { describe, expect, test } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { readDocument } from './documents.ts';
import { resolveReference } from './resolve-reference.ts';

type Json = Record<string, any>;

/** Freshness is tested elsewhere. This one has the operations of both environments. */
const document: Json = JSON.parse(readDocument('openapi.json'));

const resolve = (value: Json): Json => resolveReference(document, value);
const operations = (): Json[] => Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));

/** A schema with those inside it, each with the way to it; references are not followed, being walked where they lead. */
const walk = function* (schema: Json, way: string): Generator<[string, Json]> {
  if (schema.$ref !== undefined) return;
  yield [way, schema];
  for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) yield* walk(inner, `${way}.${name}`);
  // What `allOf` joins is one object, which has its name and its example itself.
  const { items, additionalProperties, anyOf, oneOf } = schema;
  const parts = [items, additionalProperties, anyOf, oneOf].flat().filter((part) => typeof part === 'object');
  for (const inner of parts) yield* walk(inner, `${way}[]`);
};

/** Every schema of the document: those with a name, and those that stand where they are used. */
const schemas = (): [string, Json][] => {
  const named = Object.entries<Json>(document.components.schemas);
  const inPlace = operations().flatMap(({ operationId, requestBody, responses }): [string, Json][] => {
    const bodies = [requestBody ?? {}, ...Object.values<Json>(responses)].map(resolve);
    const contents = bodies.flatMap(({ content }) => Object.values<Json>(content ?? {}));
    return contents.map(({ schema }) => [operationId, schema]);
  });
  return [...named, ...inPlace].flatMap(([name, schema]) => [...walk(schema, name)]);
};

const isDescribed = (part: Json): boolean => /\S/.test(part.description ?? resolve(part).description ?? '');

/** The examples that a reader is shown for a body. */
const examplesOf = (content: Json): unknown[] => [
  ...Object.values<Json>(content.examples ?? {}).map((example) => resolve(example).value),
  ...(content.example === undefined ? [] : [content.example]),
  ...(resolve(content.schema).examples ?? []),
];

const FORMATS = {
  'date-time': (text: string) => /^\d{4}-.*T.*Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
};

describe('in the document', () => {
  test('every property has a description', () => {
    const found = schemas().flatMap(([way, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(([, property]) => !isDescribed(property))
        .map(([name]) => `${way}.${name}`),
    );
    expect(found).toEqual([]);
  });

  test('every parameter, every schema with a name and every header has a description', () => {
    const parameters = operations().flatMap(({ operationId, parameters: given = [] }) =>
      given.map(resolve).map((parameter: Json): [string, Json] => [`${operationId} ${parameter.name}`, parameter]),
    );
    const { schemas: named, headers } = document.components;
    const all = [...parameters, ...Object.entries<Json>(named), ...Object.entries<Json>(headers)];
    expect(all.filter(([, part]) => !isDescribed(part)).map(([name]) => name)).toEqual([]);
  });

  test('every object has a name, and an example', () => {
    const names = Object.keys(document.components.schemas);
    const objects = schemas().filter(([, schema]) => schema.properties);
    expect(objects.length).toBeGreaterThan(20);
    expect(objects.map(([way]) => way).filter((way) => !names.includes(way))).toEqual([]);
    expect(objects.filter(([, { examples = [] }]) => examples.length === 0).map(([way]) => way)).toEqual([]);
  });

  test('every answer of 2xx that has a body, and every body to send, has an example', () => {
    const bodies = operations().flatMap(({ operationId, requestBody, responses }) => {
      const answers = Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'));
      return [...answers.map(([, answer]) => answer), ...(requestBody ? [requestBody] : [])].flatMap((body) =>
        Object.values<Json>(resolve(body).content ?? {}).map((content): [string, Json] => [operationId, content]),
      );
    });
    expect(bodies.length).toBeGreaterThan(operations().length);
    expect(bodies.filter(([, content]) => examplesOf(content).length === 0).map(([id]) => id)).toEqual([]);
  });

  test('every example is what its schema says, formats included', () => {
    const ajv = new Ajv2020({ strict: false, formats: FORMATS, logger: false });
    ajv.addSchema({ $id: 'document', ...document });
    const wrong: string[] = [];
    for (const [name, { examples = [] }] of Object.entries<Json>(document.components.schemas)) {
      for (const example of examples) {
        const isRight = ajv.validate(`document#/components/schemas/${name}`, example);
        if (!isRight) wrong.push(`${name}: ${ajv.errorsText()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('every integer says how large it can get, and no time in an answer has a pattern', () => {
    const integers = schemas().filter(([, { type }]) => [type].flat().includes('integer'));
    expect(integers.filter(([, { format, maximum }]) => !format && !(maximum < 2 ** 31)).map(([way]) => way)).toEqual(
      [],
    );
    const times = schemas().filter(([, { format }]) => format === 'date-time');
    expect(times.filter(([, { pattern }]) => pattern !== undefined)).toEqual([]);
  });

  test('no field of a body has a default but in words, because generated types ask for one that has', () => {
    expect(schemas().filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  test('every operation has a title of its own, which says what it does', () => {
    const titles = operations().map(({ summary }) => summary);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z][a-z]+ [a-z ]{2,40}$/);
  });
});
