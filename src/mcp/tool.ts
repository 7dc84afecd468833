import type { JSONObject } from '@modelcontextprotocol/server';
import type { Contract } from '../kernel/contract.ts';

type Json = Record<string, unknown>;

/** The parts of an OpenAPI document that tools need. */
export type Document = {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Json; parameters: Json };
};

/** Where a tool's argument goes in the request. */
export type Place = 'path' | 'query' | 'body' | 'header';

export type Tool = {
  contract: Contract;
  places: ReadonlyMap<string, Place>;
  /** The tool as listed by the protocol. */
  shown: {
    name: string;
    title: string;
    description: string;
    inputSchema: { type: 'object'; properties: JSONObject; required: string[]; $defs?: JSONObject };
    annotations: Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>;
  };
};

const SCHEMAS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

const follow = (document: Document, part: Json): Json => {
  const name = String(part.$ref ?? '').split('/');
  if (name.length < 4) return part;
  return (document.components[name[2] as 'schemas'][name[3] as string] ?? {}) as Json;
};

/** Finds the schemas that a text refers to, directly or indirectly, by name. */
const definitionsOf = (document: Document, text: string, found: Json = {}): Json => {
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name in found) continue;
    found[name] = document.components.schemas[name];
    definitionsOf(document, JSON.stringify(found[name]), found);
  }
  return found;
};

const relocate = (value: Json): JSONObject => JSON.parse(JSON.stringify(value).replaceAll(SCHEMAS, DEFINITIONS));

type Argument = { name: string; place: Place; required: boolean; schema: unknown };

const argumentsOf = (document: Document, operation: Json): Argument[] => {
  const parameters = ((operation.parameters ?? []) as Json[]).map((one) => {
    const { name, in: place, required = false, description, schema } = follow(document, one);
    return { name, place, required, schema: { description, ...(schema as Json) } } as Argument;
  });
  const [content] = Object.values(((operation.requestBody as Json)?.content ?? {}) as Record<string, { schema: Json }>);
  const body = content ? follow(document, content.schema) : {};
  const required = (body.required ?? []) as string[];
  const fields = Object.entries((body.properties ?? {}) as Json).map(
    ([name, schema]): Argument => ({ name, place: 'body', required: required.includes(name), schema }),
  );
  return [...parameters, ...fields];
};

/** Whether a person should confirm the operation, because it cannot be undone. */
const isDestructive = ({ id, method }: Contract): boolean =>
  method === 'DELETE' || /^(revoke|rotate|reset|cancel)/.test(id);

const toTool = (document: Document, contract: Contract): Tool => {
  const operation = document.paths[contract.path]?.[contract.method.toLowerCase()] as Json;
  const given = argumentsOf(document, operation);
  const properties = Object.fromEntries(given.map(({ name, schema }) => [name, schema]));
  const definitions = definitionsOf(document, JSON.stringify(properties));
  const isRead = contract.method === 'GET';
  return {
    contract,
    places: new Map(given.map(({ name, place }) => [name, place])),
    shown: {
      name: contract.id,
      title: contract.summary,
      description: String(operation.description),
      inputSchema: {
        type: 'object',
        properties: relocate(properties),
        required: given.filter(({ required }) => required).map(({ name }) => name),
        ...(Object.keys(definitions).length > 0 ? { $defs: relocate(definitions) } : {}),
      },
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: isDestructive(contract),
        idempotentHint: isRead || contract.method === 'DELETE',
        openWorldHint: false,
      },
    },
  };
};

/** Makes a tool of each operation, except streams: an agent cannot wait for their end. */
export const createTools = (document: Document, contracts: readonly Contract[]): Tool[] =>
  contracts.filter(({ stream }) => !stream).map((contract) => toTool(document, contract));
