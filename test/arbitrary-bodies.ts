import fc from 'fast-check';
import { scanJson } from '../src/kernel/json.ts';

/** Generates bodies as JSON text instead of objects, because an object cannot distinguish `1` from `1.0`. */

type Json = Record<string, any>;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;

export const int64 = fc.oneof(
  fc.bigInt({ min: MIN_INT64, max: MAX_INT64 }),
  fc.bigInt({ min: -5n, max: 5n }),
  fc.constantFrom(MIN_INT64, MAX_INT64, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n),
);

export const anyText = fc.string({ unit: 'binary', maxLength: 40 });

const brokenText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 8 })
  .map((units) => String.fromCharCode(...units));

export const goodName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255 })
  .filter((name) => name.trim() !== '' && !name.includes('\0'));

const anyName = fc.oneof(
  { weight: 6, arbitrary: goodName },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: brokenText },
  { weight: 1, arbitrary: fc.string({ minLength: 250, maxLength: 260 }) },
);

export const petStatus = fc.constantFrom('available', 'pending', 'sold');

const IN_A_FIELD = { depth: 8, values: 15, escapes: 100, digits: 40, doubtful: 1 };

const smallJson = fc.json({ maxDepth: 3 }).filter((text) => scanJson(text, IN_A_FIELD).fault === undefined);

export const anyJson = fc.oneof(smallJson, fc.constantFrom('null', '[]', '{}', '""', 'true', '"1"'));

const mostly = (right: fc.Arbitrary<string>, wrong: fc.Arbitrary<string> = anyJson): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong });

const quoted = (text: fc.Arbitrary<string>) => text.map((value) => JSON.stringify(value));

const numberText = fc.oneof(
  int64.map(String),
  fc.bigInt({ min: MIN_INT64 * 4n, max: MAX_INT64 * 4n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('1.0', '1e2', '-0', '0.5', '1e400', '9223372036854775808', '-9223372036854775809'),
);

const objectText = (fields: Record<string, fc.Arbitrary<string>>, required: readonly string[]): fc.Arbitrary<string> =>
  fc.record(fields, { requiredKeys: [...required] }).map(
    (chosen) =>
      `{${Object.entries(chosen)
        .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
        .join(',')}}`,
  );

export const petText = objectText(
  {
    name: mostly(quoted(anyName)),
    categoryId: mostly(numberText),
    status: mostly(quoted(petStatus), fc.oneof(anyJson, quoted(anyText))),
    id: anyJson,
    ['__proto__' as string]: fc.constantFrom('{"status":"sold"}', 'null'),
  },
  [],
);

const dateText = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('2027-01-01'), max: new Date('9999-12-31') })
    .map((date) => date.toISOString()),
  fc.constantFrom('2030-01-01T00:00:00Z', '2030-01-01', '2030-02-30T00:00:00Z', '2030-01-01T00:00:00+01:00'),
);

export const textOf = (document: Json, schema: Json): fc.Arbitrary<string> => {
  const inner = (part: Json) => textOf(document, part);
  if (schema.$ref) return inner(document.components.schemas[schema.$ref.split('/').at(-1)]);
  const alternatives: Json[] | undefined = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return fc.oneof(...alternatives.map(inner));
  if (schema.enum) return mostly(fc.constantFrom(...schema.enum.map((value: unknown) => JSON.stringify(value))));
  const { minimum = MIN_INT64, maximum = MAX_INT64, required = [], properties = {} } = schema;
  switch (schema.type) {
    case 'null':
      return fc.constant('null');
    case 'integer':
      return mostly(fc.bigInt({ min: BigInt(minimum), max: BigInt(maximum) }).map(String), numberText);
    case 'string':
      return mostly(quoted(schema.format === 'date-time' ? dateText : anyName));
    case 'array':
      return mostly(fc.array(inner(schema.items), { maxLength: 4 }).map((items) => `[${items.join(',')}]`));
    case 'object': {
      const fields = Object.fromEntries(Object.entries<Json>(properties).map(([name, part]) => [name, inner(part)]));
      return mostly(fc.oneof(objectText(fields, required), objectText(fields, [])));
    }
    default:
      return anyJson;
  }
};
