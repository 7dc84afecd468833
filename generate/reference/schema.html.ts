import type { Schema } from '../../cli/args/json-schema.ts';
import { alternativesOf, type Parameter, type Resolve, schemaName } from '../openapi/resolve.ts';
import { type Html, html, inlineMarkdown } from './html.ts';

const MAX_DEPTH = 2;

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

const isObject = (schema: Schema): boolean => schema.properties !== undefined || schema.oneOf !== undefined;

export const objectAnchor = (name: string): string => `object-${name}`;

const joined = (parts: readonly Html[], between: string): Html =>
  parts.reduce((all, part, index) => (index === 0 ? part : html`${all}${between}${part}`), html``);

export const typePhrase = (given: Schema, resolve: Resolve): Html => {
  const schema = resolve<Schema>(given);
  const name = schemaName(given);
  if (name !== undefined && isObject(schema)) return html`<a href="#${objectAnchor(name)}">${name}</a>`;
  const alternatives = alternativesOf(schema);
  if (alternatives[0] !== schema) {
    return joined(
      alternatives.map((each) => typePhrase(each, resolve)),
      ' or ',
    );
  }
  const types = typesOf(schema).map((type) => {
    if (type === 'array' && schema.items) return html`array of ${typePhrase(schema.items, resolve)}`;
    const values = type === 'object' && schema.additionalProperties;
    if (typeof values === 'object') return html`object with ${typePhrase(values, resolve)} values`;
    return type === 'null' || !schema.format ? html`${type}` : html`${type} ${schema.format}`;
  });
  return types.length > 0 ? joined(types, ' or ') : html`any value`;
};

const range = (least: number | undefined, most: number | undefined, unit: string): string | undefined => {
  if (least !== undefined && most !== undefined)
    return `${least.toLocaleString('en')} to ${most.toLocaleString('en')}${unit}`;
  if (least !== undefined) return `at least ${least.toLocaleString('en')}${unit}`;
  return most === undefined ? undefined : `at most ${most.toLocaleString('en')}${unit}`;
};

const code = (value: unknown): Html => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

const bounds = (schema: Schema, resolve: Resolve): Html[] => {
  const values = schema.enum ?? (schema.items && resolve<Schema>(schema.items).enum);
  const texts = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ];
  const [example] = schema.examples ?? [];
  return [
    ...(values ? [html`One of ${joined(values.map(code), ', ')}`] : []),
    ...(schema.const === undefined ? [] : [html`Always ${code(schema.const)}`]),
    ...texts.flatMap((text) => (text ? [html`${text}`] : [])),
    ...(schema.default === undefined ? [] : [html`Default ${code(schema.default)}`]),
    ...(example === undefined || typeof example === 'object' ? [] : [html`Example ${code(example)}`]),
  ];
};

type View = { resolve: Resolve; isAnswer?: boolean };

/** The fields of a named object are not listed here, because the object has its own section on the page. */
const nested = (given: Schema, view: View, depth: number): Html | undefined => {
  const inner = view.resolve<Schema>(given).items ?? given;
  const resolved = view.resolve<Schema>(inner);
  if (!resolved.properties || schemaName(inner) !== undefined || depth >= MAX_DEPTH) return undefined;
  return html`<details class="nested"><summary>Fields</summary>${fieldList(resolved, view, depth + 1)}</details>`;
};

type Field = { name: string; schema: Schema; required: boolean; description?: string | undefined };

const field = ({ name, schema: given, required, description }: Field, view: View, depth: number): Html => {
  const { resolve, isAnswer } = view;
  const schema = resolve<Schema>(given);
  const seen = description ?? schema.description;
  const mark = isAnswer ? !required && 'optional' : required && 'required';
  return html`<b>${name}</b> <span class="type">${typePhrase(given, resolve)}</span>${mark && html` <em>${mark}</em>`}${seen && html`<p>${inlineMarkdown(seen)}</p>`}${boundsLine(schema, resolve)}${nested(given, view, depth)}`;
};

const boundsLine = (schema: Schema, resolve: Resolve): Html | undefined => {
  const parts = bounds(schema, resolve);
  return parts.length > 0 ? html`<p class="bounds">${joined(parts, ' · ')}</p>` : undefined;
};

const fieldList = (schema: Schema, view: View, depth = 0): Html =>
  html`<ul class="fields">${Object.entries(schema.properties ?? {}).map(
    ([name, property]) =>
      html`<li>${field({ name, schema: property, required: schema.required?.includes(name) ?? false }, view, depth)}</li>`,
  )}</ul>`;

export const bodyFields = (given: Schema, view: View): Html => {
  const { resolve } = view;
  const schema = resolve<Schema>(given);
  const rows = schema.items && resolve<Schema>(schema.items);
  const shown = rows?.properties ? rows : schema;
  const alternatives = alternativesOf(shown);
  if (alternatives[0] === shown && shown.properties) return fieldList(shown, view);
  return html`<p class="type">${joined(
    alternatives.map((each) => typePhrase(each, resolve)),
    ' or ',
  )}</p>`;
};

export const parameterList = (parameters: readonly Parameter[], resolve: Resolve): Html =>
  html`<ul class="fields">${parameters.map((parameter) => {
    const schema = resolve<Schema>(parameter.schema);
    const { name, required = false, description } = parameter;
    return html`<li data-name="${name}" data-in="${parameter.in}"${required && html` data-required`}${
      schema.enum && html` data-values="${schema.enum.join(',')}"`
    }>${field({ name, schema: parameter.schema, required, description }, { resolve }, MAX_DEPTH)}</li>`;
  })}</ul>`;
