import type { Contract } from '../../src/kernel/contract.ts';
import type { Schema } from '../json-schema.ts';
import { contentExample } from '../openapi/examples.ts';
import {
  createResolve,
  type OpenapiDocument,
  type OperationObject,
  type Resolve,
  schemaName,
} from '../openapi/resolve.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import { codeBlock, methodBadge, operationSection, parametersOf } from './operation.html.ts';
import { bodyFields, objectAnchor } from './schema.html.ts';

type Source = { document: OpenapiDocument; contracts: readonly Contract[] };

export type Entry = { anchor: string; label: Html };
export type Group = {
  anchor: string;
  title: string;
  about: string;
  count: string;
  entries: readonly Entry[];
  body: readonly Html[];
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const operationGroups = ({ document, contracts }: Source, resolve: Resolve): Group[] =>
  document.tags.flatMap(({ name, description }) => {
    const those = contracts.filter(({ tag }) => tag === name);
    if (those.length === 0) return [];
    return {
      anchor: `group-${name.toLowerCase()}`,
      title: name,
      about: description,
      count: counted(those.length, 'operation'),
      entries: those.map(({ id, method, summary }) => ({ anchor: id, label: html`${methodBadge(method)} ${summary}` })),
      body: those.map((contract) => {
        const operation = document.paths[contract.path]?.[contract.method.toLowerCase()];
        if (!operation) throw new Error(`${contract.method} ${contract.path} is missing from the document`);
        return operationSection(contract, operation, resolve);
      }),
    };
  });

const sentAnchor = (type: string): string => `sent-${type}`;

const sentSection = (type: string, sent: OperationObject, resolve: Resolve): Html => {
  const content = sent.requestBody?.content ?? {};
  const [media] = Object.values(content);
  const example = contentExample(content, resolve);
  return html`<details class="operation" id="${sentAnchor(type)}"><summary><h4>${type}</h4></summary><div class="columns"><div>
${markdown(sent.description)}${parametersOf(sent, resolve)}${media && html`<h5>Body</h5>${bodyFields(media.schema, { resolve, isAnswer: true })}`}</div><div>
${example && html`<h5>Body</h5>${codeBlock(JSON.stringify(example.value, null, 2))}`}</div></div></details>`;
};

const sentGroup = ({ document }: Source, resolve: Resolve): Group => {
  const sent = Object.entries(document.webhooks);
  return {
    anchor: 'group-deliveries',
    title: 'Event deliveries',
    about: 'Requests that the service sends to your webhooks.',
    count: counted(sent.length, 'type'),
    entries: sent.map(([type]) => ({ anchor: sentAnchor(type), label: html`${type}` })),
    body: sent.map(([type, { post }]) => sentSection(type, post, resolve)),
  };
};

const isRefusal = ({ allOf = [] }: Schema): boolean => allOf.some((part) => schemaName(part) === 'Error');

const objectGroup = ({ document }: Source, resolve: Resolve): Group => {
  const objects = Object.entries(document.components.schemas)
    .filter(([, schema]) => !isRefusal(schema))
    .map(([name, schema]): [string, Schema] => [name, resolve<Schema>(schema)])
    .filter(([, schema]) => schema.properties ?? schema.oneOf);
  return {
    anchor: 'group-objects',
    title: 'Objects',
    about: 'Objects in request and response bodies.',
    count: counted(objects.length, 'object'),
    entries: objects.map(([name]) => ({ anchor: objectAnchor(name), label: html`${name}` })),
    body: objects.map(
      ([name, schema]) =>
        html`<details class="operation" id="${objectAnchor(name)}"><summary><h4>${name}</h4> ${
          schema.description && html`<span>${inlineMarkdown(schema.description)}</span>`
        }</summary>${bodyFields(schema, { resolve })}</details>`,
    ),
  };
};

export const createGroups = (source: Source): Group[] => {
  const resolve = createResolve(source.document);
  return [...operationGroups(source, resolve), sentGroup(source, resolve), objectGroup(source, resolve)];
};
