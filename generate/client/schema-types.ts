import type { Schema } from '../../cli/args/json-schema.ts';

export type Definitions = Record<string, Schema>;

export type Way = 'input' | 'output';

const nameOf = (ref: string): string => ref.replace('#/$defs/', '');

export const commentOf = (text: string | undefined, indent = ''): string => {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\u200b/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join('\n');
};

const parts = (schema: Schema): Schema[] => [
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
  ...(schema.items ? [schema.items] : []),
  ...Object.values(schema.properties ?? {}),
  ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
];

// In a request, every integer without a maximum may be a bigint. In a response, only integers that callers choose can
// exceed 2^53.
const isWide = ({ maximum, isChosen }: Schema, way: Way): boolean =>
  way === 'input' ? maximum === undefined : isChosen === true;

const reach = (definitions: Definitions, schema: Schema, seen = new Set<string>()): Set<string> => {
  const name = schema.$ref && nameOf(schema.$ref);
  if (name && !seen.has(name)) {
    seen.add(name);
    reach(definitions, definitions[name] ?? {}, seen);
  }
  for (const part of parts(schema)) reach(definitions, part, seen);
  return seen;
};

export const createTypes = (definitions: Definitions, inputs: Schema[], outputs: Schema[]) => {
  const [sent, received] = [reach(definitions, { anyOf: inputs }), reach(definitions, { anyOf: outputs })];
  const inputOnly = sent.difference(received);

  const typeOfName = (name: string, way: Way): string => {
    const schema = definitions[name] ?? {};
    return schema.type === 'array' ? typeOf(schema, way) : name;
  };

  const fieldsOf = ({ properties = {}, required = [] }: Schema, way: Way, indent: string): string =>
    Object.entries(properties)
      .map(([name, field]) => {
        const isOptional = !required.includes(name);
        const type = typeOf(field, way, indent);
        const comment = commentOf(field.description ?? definitions[nameOf(field.$ref ?? '')]?.description, indent);
        return `${comment}${indent}${name}${isOptional ? '?' : ''}: ${type}${isOptional && way === 'input' ? ' | undefined' : ''};\n`;
      })
      .join('');

  const objectOf = (schema: Schema, way: Way, indent: string): string => {
    if (schema.properties) return `{\n${fieldsOf(schema, way, `${indent}  `)}${indent}}`;
    const values =
      typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, way) : 'unknown';
    return `Record<string, ${values}>`;
  };

  const joined = (schemas: readonly Schema[], way: Way, indent: string, by: string): string =>
    [...new Set(schemas.map((part) => typeOf(part, way, indent)))].join(by);

  const plainOf = (type: string, schema: Schema, way: Way, indent: string): string => {
    if (type === 'integer') return isWide(schema, way) ? 'Int64' : 'number';
    if (type === 'object') return objectOf(schema, way, indent);
    if (type !== 'array') return type;
    const item = typeOf(schema.items ?? {}, way, indent);
    return item.includes(' ') ? `Array<${item}>` : `${item}[]`;
  };

  const typeOf = (schema: Schema, way: Way, indent = ''): string => {
    if (schema.$ref) return typeOfName(nameOf(schema.$ref), way);
    if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');
    const oneOf = schema.anyOf ?? schema.oneOf;
    if (oneOf) return joined(oneOf, way, indent, ' | ');
    if (schema.allOf) return joined(schema.allOf, way, indent, ' & ');
    const types = [schema.type ?? []].flat();
    return types.length === 0 ? 'unknown' : types.map((type) => plainOf(type, schema, way, indent)).join(' | ');
  };

  const declare = (): string[] =>
    [...sent.union(received)].sort().flatMap((name) => {
      const schema = definitions[name] ?? {};
      if (schema.type === 'array') return [];
      const way = inputOnly.has(name) ? 'input' : 'output';
      const comment = commentOf(schema.description);
      if (schema.properties) return [`${comment}export interface ${name} ${objectOf(schema, way, '')}\n`];
      return [`${comment}export type ${name} = ${typeOf(schema, way)};\n`];
    });
  return { typeOf, declare };
};
