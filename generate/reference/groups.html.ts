import type { Schema } from '../../cli/args/json-schema.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { contentExample, exampleOf } from '../openapi/examples.ts';
import {
  createResolve,
  type OpenapiDocument,
  type OperationObject,
  type Resolve,
  schemaName,
} from '../openapi/resolve.ts';
import { asJson, codeBox } from './code-box.html.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import {
  type EventExamples,
  eventAnchor,
  methodBadge,
  operationSection,
  parametersOf,
  part,
} from './operation.html.ts';
import { bodyFields, objectAnchor } from './schema.html.ts';

type Source = { document: OpenapiDocument; contracts: readonly Contract[] };

type Entry = { anchor: string; label: Html };
export type Group = { anchor: string; title: string; entries: readonly Entry[]; body: readonly Html[] };

export const links = (entries: readonly Entry[]): Html =>
  html`<ul>${entries.map(({ anchor, label }) => html`<li><a href="#${anchor}">${label}</a></li>`)}</ul>\n`;

export const linkList = (title: string, entries: readonly Entry[]): Html =>
  html`<div class="links"><h4>${title}</h4>${links(entries)}</div>`;

const groupHead = (anchor: string, title: string, about: Html, list: Html): Html =>
  part('group', html` id="${anchor}"`, html`<h2><a href="#${anchor}">${title}</a></h2>${about}`, list);

const operationGroups = ({ document, contracts }: Source, resolve: Resolve, examples: EventExamples): Group[] =>
  document.tags.flatMap(({ name, description }) => {
    const those = contracts.filter(({ tag }) => tag === name);
    if (those.length === 0) return [];
    const anchor = `group-${name.toLowerCase()}`;
    const paths = those.map(({ id, method, path }) => ({
      anchor: id,
      label: html`${methodBadge(method)} <code>/v1${path}</code>`,
    }));
    return {
      anchor,
      title: name,
      entries: those.map(({ id, method, summary }) => ({ anchor: id, label: html`${summary} ${methodBadge(method)}` })),
      body: [
        groupHead(anchor, name, html`<p class="lead">${inlineMarkdown(description)}</p>`, linkList('Endpoints', paths)),
        ...those.map((contract) => {
          const operation = document.paths[contract.path]?.[contract.method.toLowerCase()];
          if (!operation) throw new Error(`${contract.method} ${contract.path} is missing from the document`);
          return operationSection({ contract, operation, resolve, examples });
        }),
      ],
    };
  });

const sentExample = ({ requestBody }: OperationObject, resolve: Resolve): unknown =>
  contentExample(requestBody?.content ?? {}, resolve)?.value;

const sentSection = (type: string, sent: OperationObject, resolve: Resolve): Html => {
  const [media] = Object.values(sent.requestBody?.content ?? {});
  const data = media && resolve<Schema>(media.schema).properties?.data;
  return part(
    'sent',
    html` id="${eventAnchor(type)}"`,
    html`<h3><a href="#${eventAnchor(type)}">${type}</a></h3>${markdown(sent.description)}${
      data && html`<h4>data</h4>${bodyFields(data, { resolve, isAnswer: true })}`
    }`,
    codeBox([{ title: type, text: asJson(sentExample(sent, resolve)) }], type),
  );
};

const sentGroup = ({ document }: Source, resolve: Resolve): Group => {
  const sent = Object.entries(document.webhooks);
  const entries = sent.map(([type]) => ({ anchor: eventAnchor(type), label: html`${type}` }));
  const headers = sent[0] ? parametersOf(sent[0][1].post, ['header'], resolve) : [];
  const anchor = 'group-deliveries';
  const about = html`<p class="lead">Requests that the service sends to your webhooks. The same events are in the event stream.</p>${headers}`;
  return {
    anchor,
    title: 'Event deliveries',
    entries,
    body: [
      groupHead(anchor, 'Event deliveries', about, linkList('Types', entries)),
      ...sent.map(([type, { post }]) => sentSection(type, post, resolve)),
    ],
  };
};

const isRefusal = ({ allOf = [] }: Schema): boolean => allOf.some((one) => schemaName(one) === 'Error');

const objectSection = (name: string, schema: Schema, resolve: Resolve): Html =>
  part(
    'object',
    html` id="${objectAnchor(name)}"`,
    html`<h3><a href="#${objectAnchor(name)}">${name}</a></h3>${
      schema.description && html`<p>${inlineMarkdown(schema.description)}</p>`
    }${bodyFields(schema, { resolve })}`,
    codeBox([{ title: name, text: asJson(exampleOf(schema, resolve)) }], name),
  );

const objectGroup = ({ document }: Source, resolve: Resolve): Group => {
  const objects = Object.entries(document.components.schemas)
    .filter(([, schema]) => !isRefusal(schema))
    .map(([name, schema]): [string, Schema] => [name, resolve<Schema>(schema)])
    .filter(([, schema]) => schema.properties ?? schema.oneOf);
  const entries = objects.map(([name]) => ({ anchor: objectAnchor(name), label: html`${name}` }));
  const about = html`<p class="lead">Objects in request and response bodies.</p>`;
  return {
    anchor: 'group-objects',
    title: 'Objects',
    entries,
    body: [
      groupHead('group-objects', 'Objects', about, linkList('Objects', entries)),
      ...objects.map(([name, schema]) => objectSection(name, schema, resolve)),
    ],
  };
};

export const createGroups = (source: Source): Group[] => {
  const resolve = createResolve(source.document);
  const examples = Object.fromEntries(
    Object.entries(source.document.webhooks).map(([type, { post }]) => [type, sentExample(post, resolve)]),
  );
  return [...operationGroups(source, resolve, examples), sentGroup(source, resolve), objectGroup(source, resolve)];
};
