import type { Schema } from '../cli/args/json-schema.ts';
import { CONTRACTS } from '../src/contracts.ts';
import type { Contract } from '../src/kernel/contract.ts';
import { createOpenapi } from './openapi/document.ts';
import {
  alternativesOf,
  createResolve,
  type OpenapiDocument,
  type OperationObject,
  type Resolve,
  type ResponseObject,
} from './openapi/resolve.ts';

const TASKS: Record<string, string> = {
  listPets:
    'Finds pets. `search` matches any part of a name, and `name` its start. For one kind, such as dogs, get ' +
    'its `categoryId` from listCategories. Pets come in the order they were added.',
  createPet:
    'Adds a pet. Without `status`, the pet is available. A new `categoryId` creates a category without a name.',
  updatePet:
    'Changes the name, category or status of a pet. To sell a pet, use placeOrder instead. While an order holds the pet, ' +
    'its status cannot be changed.',
  listOrders: 'Finds orders, such as the order that holds a pet. Filters can be combined.',
  placeOrder:
    'First step of a sale: orders an available pet and holds it. Then call approveOrder (before `expiresAt`) and ' +
    'deliverOrder.',
  approveOrder: 'Second step of a sale: approves a placed order, which then never expires. Then call deliverOrder.',
  deliverOrder: 'Last step of a sale: completes an approved order. Its pet is then sold. This cannot be undone.',
  cancelOrder: 'Cancels a placed or approved order. Its pet becomes available again.',
  createKey: 'Creates an API key and shows its secret once. By default, it can read and write pets and orders.',
  resetSandbox: "Replaces the pets, orders and categories in the caller's store with those of a new sandbox.",
  revokeKey: 'Revokes a key permanently, and disables its webhooks.',
};

const HINTS: Record<string, string> = {
  categoryId: 'From listCategories.',
  events: 'For example, `pet.created`.',
  type: 'For example, `pet.created`.',
  limits: 'Only for the `enterprise` plan.',
  'If-Match': 'The `ETag` that you read.',
};

const mapFields = <Value>(fields: Readonly<Record<string, Schema>>, map: (field: Schema, name: string) => Value) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));

const toInput = (resolve: Resolve, schema: Schema, name = ''): object => {
  const { type, enum: values, required, items, properties, ...others } = resolve(schema);
  return {
    ...(values && !('x-extensible' in others) ? { enum: values } : { type }),
    description: HINTS[name],
    items: items && toInput(resolve, items),
    properties: properties && mapFields(properties, (field, key) => toInput(resolve, field, key)),
    required,
    additionalProperties: properties && false,
  };
};

const toOutput = (resolve: Resolve, schema: Schema, isRow = true): Schema => {
  const alternatives = alternativesOf(resolve(schema)).map((one) => resolve(one));
  const types = new Set(alternatives.map(({ type }) => type));
  const [{ type, items, properties } = {}] = alternatives;
  return {
    ...(types.size === 1 && typeof type === 'string' ? { type } : {}),
    ...(isRow && items ? { items: toOutput(resolve, items) } : {}),
    ...(isRow && properties ? { properties: mapFields(properties, (field) => toOutput(resolve, field, false)) } : {}),
  };
};

const schemaOf = (part: Pick<ResponseObject, 'content'> | undefined): Schema | undefined =>
  Object.values(part?.content ?? {})[0]?.schema;

const inputOf = (resolve: Resolve, { parameters = [], requestBody }: OperationObject) => {
  const { properties = {}, required = [] } = resolve(schemaOf(requestBody) ?? {});
  // Agents have no cache, so they do not need `If-None-Match`. Operations without a body, such as approveOrder, do not
  // need `Idempotency-Key`, because repeating them has no further effect.
  const omitted = requestBody ? ['If-None-Match'] : ['If-None-Match', 'Idempotency-Key'];
  const outside = parameters.map((one) => resolve(one)).filter(({ name }) => !omitted.includes(name));
  const all = { ...Object.fromEntries(outside.map(({ name, schema }) => [name, schema])), ...properties };
  const needed = [...outside.filter((one) => one.required).map(({ name }) => name), ...required];
  return {
    places: mapFields(all, (_, name) => outside.find((one) => one.name === name)?.in ?? 'body'),
    inputSchema: toInput(resolve, { type: 'object', properties: all, required: needed }),
  };
};

/** A tool's structured content must be an object, so a list is returned in the field `rows`. */
const outputOf = (resolve: Resolve, { paged, answer }: Contract, { responses }: OperationObject) => {
  const body = schemaOf(resolve(responses[answer.status] as ResponseObject));
  const output = body && toOutput(resolve, body);
  if (output?.type !== 'array') return output;
  return { type: 'object', properties: { rows: output, ...(paged ? { nextCursor: { type: 'string' } } : {}) } };
};

const FINAL = /^(?:delete|merge|revoke|rotate|reset|cancel|deliver)/;

/** Leaves out operations that return a stream, because an agent cannot wait until a stream ends. */
export const createToolFile = (): string => {
  const document = createOpenapi() as object as OpenapiDocument;
  const resolve = createResolve(document);
  const tools = CONTRACTS.filter(({ stream }) => !stream).map((contract) => {
    const { id, method, path, description } = contract;
    const operation = document.paths[path]?.[method.toLowerCase()] as OperationObject;
    const { places, inputSchema } = inputOf(resolve, operation);
    const shown = {
      name: id,
      description: TASKS[id] ?? description.replace(/(?<=\.) .*/s, ''),
      inputSchema,
      outputSchema: outputOf(resolve, contract, operation),
      annotations: method === 'GET' ? { readOnlyHint: true } : { destructiveHint: FINAL.test(id) },
    };
    return [id, { places, shown }];
  });
  return `${JSON.stringify(Object.fromEntries(tools), null, 1)}\n`;
};
