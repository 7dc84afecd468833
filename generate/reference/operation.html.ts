import type { Schema } from '../../cli/args/json-schema.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import type { EventType } from '../../src/kernel/event.ts';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { bodyExample, contentExample, exampleOf } from '../openapi/examples.ts';
import { COMMON_FAILURES, failuresOf } from '../openapi/failures.ts';
import type { OperationObject, Parameter, Resolve, ResponseObject } from '../openapi/resolve.ts';
import { asJson, codeBox, sampleBox } from './code-box.html.ts';
import { costOf, eventsOf, retryOf, textOf } from './facts.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import { samplesOf } from './samples.ts';
import { bodyFields, parameterList, typePhrase } from './schema.html.ts';

export type EventExamples = Readonly<Partial<Record<EventType, unknown>>>;

export const eventAnchor = (type: string): string => `sent-${type}`;

export const methodBadge = (method: string): Html => html`<span class="verb ${method.toLowerCase()}">${method}</span>`;

export const part = (kind: string, attributes: Html, text: Html, samples: Html): Html =>
  html`<section class="part ${kind}"${attributes}><div class="doc">
${text}</div><div class="side"><div class="stick">${samples}</div></div></section>\n`;

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' };
type Place = keyof typeof PLACES;

const parametersIn = ({ parameters = [] }: OperationObject, resolve: Resolve): Parameter[] =>
  parameters.map((each) => resolve<Parameter>(each));

export const parametersOf = (operation: OperationObject, places: readonly Place[], resolve: Resolve): Html[] =>
  places.map((place) => {
    const those = parametersIn(operation, resolve).filter((each) => each.in === place);
    return those.length > 0 ? html`<h4>${PLACES[place]}</h4>${parameterList(those, resolve)}` : html``;
  });

const requestBody = ({ requestBody: given }: OperationObject, resolve: Resolve): Html | undefined => {
  if (!given) return undefined;
  const { content, required } = resolve<typeof given>(given);
  const [media] = Object.values(content);
  return html`<h4>Body <small>${!required && 'optional, '}${Object.keys(content).join(' or ')}</small></h4>${
    media && bodyFields(media.schema, { resolve })
  }`;
};

const facts = (contract: Contract): Html => {
  const { id, scope } = contract;
  const rows: [string, Html][] = [
    ['Operation', html`<code>${id}</code>`],
    ['Scope', scope === 'any key' ? html`Any key` : html`<code>${scope}</code>`],
    ['Cost', html`${costOf(contract)}`],
    ['Safe to retry', inlineMarkdown(retryOf(contract))],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

type Header = { description?: string; schema: Schema };

const answersIn = ({ responses }: OperationObject, resolve: Resolve): [status: string, ResponseObject][] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, given]) => [status, resolve<ResponseObject>(given)]);

/** Leaves out headers that every response has, because the guides describe them. */
const ownHeaders = ({ headers = {} }: ResponseObject, { answer }: Contract, resolve: Resolve): [string, Header][] =>
  Object.entries(headers)
    .filter(([name]) => answer.headers?.includes(name as 'ETag') || ['Link', 'Deprecation', 'Sunset'].includes(name))
    .map(([name, header]) => [name, resolve<Header>(header)]);

const returned = (contract: Contract, operation: OperationObject, resolve: Resolve): Html =>
  html`<h4>Returns</h4>${answersIn(operation, resolve).map(([status, response]) => {
    const [media] = Object.values(response.content ?? {});
    const headers = ownHeaders(response, contract, resolve);
    return html`<p class="returns"><span class="status good">${status}</span> ${inlineMarkdown(response.description.replace(/\.$/, ''))}${
      media && html`: ${typePhrase(media.schema, resolve)}`
    }.</p>${
      headers.length > 0 &&
      html`<ul class="notes">${headers.map(([name, { description = '' }]) => html`<li><code>${name}</code> ${inlineMarkdown(description)}</li>`)}</ul>`
    }`;
  })}`;

const statusOf = (code: FailureCode): number => FAILURES[code].status;
const byStatus = (codes: readonly FailureCode[]): FailureCode[] =>
  codes.toSorted((one, other) => statusOf(one) - statusOf(other));
const isCommon = (code: FailureCode): boolean => COMMON_FAILURES.includes(code);
const errorLink = (code: FailureCode): Html => html`<a href="docs/errors#${code}">${code}</a>`;

const refusalsOf = (contract: Contract): Html => {
  const codes = byStatus(failuresOf(contract));
  return html`<h4>Errors</h4><ul class="errors">${codes
    .filter((code) => !isCommon(code))
    .map(
      (code) =>
        html`<li><span class="status">${statusOf(code)}</span> ${errorLink(code)} <span>${inlineMarkdown(FAILURES[code].meaning)}</span></li>`,
    )}</ul><p class="common">Errors that any operation can return: ${codes
    .filter(isCommon)
    .map((code, at) => html`${at > 0 && ', '}${statusOf(code)} ${errorLink(code)}`)}.</p>`;
};

const eventsSection = (contract: Contract): Html | undefined => {
  const events = eventsOf(contract);
  return (
    events &&
    html`<h4>Events</h4><p class="events">${inlineMarkdown(events.sentence)} ${events.types.map(
      (type) => html`<a class="pill i" href="#${eventAnchor(type)}">${type}</a> `,
    )}</p>`
  );
};

const request = (contract: Contract, operation: OperationObject, resolve: Resolve) => {
  const parameters = parametersIn(operation, resolve);
  const valuesOf = (those: readonly Parameter[]) =>
    Object.fromEntries(those.map(({ name, schema }) => [name, exampleOf(schema, resolve)]));
  const body = bodyExample(operation, resolve);
  const filter = parameters.find((each) => {
    const schema = resolve<Schema>(each.schema);
    return each.in === 'query' && schema.enum && schema.default === undefined;
  });
  return {
    contract,
    path: valuesOf(parameters.filter((each) => each.in === 'path')),
    query: filter && !body ? valuesOf([filter]) : {},
    body,
  };
};

const headerLines = (response: ResponseObject, resolve: Resolve): string =>
  Object.entries(response.headers ?? {})
    .map(([name, header]): [string, unknown] => [name, exampleOf(resolve<Header>(header).schema, resolve)])
    .filter(([name]) => !name.startsWith('X-RateLimit') && name !== 'Idempotent-Replayed')
    .map(([name, example]) => `${name}: ${example}`)
    .join('\n');

const MAX_REFUSALS = 2;

const refusalPanes = (contract: Contract) => {
  const own = byStatus(failuresOf(contract)).filter((code) => !isCommon(code));
  const groups = Map.groupBy([...(contract.failures ?? []), ...own], statusOf).values();
  const chosen = [...groups].flatMap(([first]) => first ?? []).slice(0, MAX_REFUSALS);
  return byStatus(chosen).map((code) => {
    const { status, meaning } = FAILURES[code];
    return { title: `${status}`, text: asJson({ code, message: meaning, status }) };
  });
};

const responseBox = (contract: Contract, operation: OperationObject, resolve: Resolve): Html => {
  const [[status, response] = ['', undefined]] = answersIn(operation, resolve);
  if (!response) return html``;
  const example = contentExample(response.content ?? {}, resolve);
  const name = { 200: 'OK', 201: 'Created', 204: 'No Content' }[status] ?? '';
  const headers = { title: example ? 'Headers' : `${status} ${name}`, text: headerLines(response, resolve) };
  return codeBox(
    [
      ...(example ? [{ title: `${status} ${name}`, text: asJson(example.value) }, headers] : [headers]),
      ...refusalPanes(contract),
    ],
    'Response',
  );
};

const marks = ({ stability, deprecation, environment }: Contract): Html =>
  html`${stability && html` <span class="pill calm">${stability}</span>`}${
    environment && html` <span class="pill calm">${environment} only</span>`
  }${deprecation && html` <span class="pill warn">deprecated, will be removed on ${deprecation.sunset.toISOString().slice(0, 10)}</span>`}`;

type Described = { contract: Contract; operation: OperationObject; resolve: Resolve; examples: EventExamples };

const samples = ({ contract, operation, resolve, examples }: Described): Html => {
  const sample = request(contract, operation, resolve);
  const events = (eventsOf(contract)?.types ?? []).map((type) => ({ title: type, text: asJson(examples[type]) }));
  return html`<div class="side-head"><h4>Request</h4></div>
${sampleBox(samplesOf(sample))}
<div class="side-head"><h4>Response</h4></div>
${responseBox(contract, operation, resolve)}
${events.length > 0 && html`<div class="side-head"><h4>Event</h4></div>${codeBox(events, 'Event')}`}`;
};

export const operationSection = (described: Described): Html => {
  const { contract, operation, resolve } = described;
  const { id, method, path, summary } = contract;
  const body = bodyExample(operation, resolve);
  return part(
    'operation',
    html` id="${id}" data-method="${method}" data-path="${path}"${
      body && html` data-type="${body.type}" data-body="${asJson(body.value)}"`
    }`,
    html`<h3><a href="#${id}">${summary}</a>${marks(contract)}</h3>
<div class="lead">${markdown(textOf(contract))}</div>
<p class="path">${methodBadge(method)} <code>/v1${path}</code></p>
${facts(contract)}
${parametersOf(operation, ['path', 'query'], resolve)}${requestBody(operation, resolve)}${parametersOf(operation, ['header'], resolve)}
${returned(contract, operation, resolve)}
${refusalsOf(contract)}
${eventsSection(contract)}`,
    samples(described),
  );
};
