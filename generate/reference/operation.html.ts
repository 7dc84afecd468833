import type { Contract } from '../../src/kernel/contract.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import type { Schema } from '../json-schema.ts';
import { bodyExample, contentExample, exampleOf } from '../openapi/examples.ts';
import { failuresOf } from '../openapi/failures.ts';
import { ANSWER_HEADERS } from '../openapi/headers.ts';
import type { OperationObject, Parameter, Resolve, ResponseObject } from '../openapi/resolve.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import { samplesOf } from './samples.ts';
import { bodyFields, parameterList } from './schema.html.ts';

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const PLACES: Record<string, string> = { path: 'Path', query: 'Query', header: 'Headers' };

export const parametersOf = ({ parameters = [] }: OperationObject, resolve: Resolve): Html[] =>
  [
    ...Map.groupBy(
      parameters.map((each) => resolve<Parameter>(each)),
      (each) => each.in,
    ),
  ].map(([place, those]) => html`<h5>${PLACES[place] ?? place}</h5>${parameterList(those, resolve)}`);

const requestBody = ({ requestBody: given }: OperationObject, resolve: Resolve): Html | undefined => {
  if (!given) return undefined;
  const { content, required } = resolve<typeof given>(given);
  const [media] = Object.values(content);
  return html`<h5>Body${!required && html` <small>optional</small>`} <small>${Object.keys(content).join(' or ')}</small></h5>${
    media && bodyFields(media.schema, { resolve })
  }`;
};

const shownHeaders = ({ headers = {} }: ResponseObject, resolve: Resolve): Html | undefined => {
  const own = Object.entries(headers).filter(([name]) => !ANSWER_HEADERS.includes(name));
  if (own.length === 0) return undefined;
  return html`<ul class="fields">${own.map(([name, header]) => {
    const { description = '' } = resolve<{ description?: string; schema: Schema }>(header);
    return html`<li><b>${name}</b> <span class="type">header</span><p>${inlineMarkdown(description)}</p></li>`;
  })}</ul>`;
};

const answersOf = ({ responses }: OperationObject, resolve: Resolve): Html[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, given]) => {
      const response = resolve<ResponseObject>(given);
      const [media] = Object.values(response.content ?? {});
      return html`<h5><span class="status good">${status}</span> ${response.description}</h5>${
        media && bodyFields(media.schema, { resolve, isAnswer: true })
      }${shownHeaders(response, resolve)}`;
    });

const refusalsOf = (contract: Contract): Html => {
  const byStatus = Map.groupBy(failuresOf(contract), (code) => FAILURES[code].status);
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return html`<h5>Errors</h5><ul class="refusals">${ordered.map(
    ([status, codes]) =>
      html`<li><span class="status">${status}</span> ${codes.map((code) => html` <a href="docs/errors#${code}">${code}</a>`)}</li>`,
  )}</ul>`;
};

export const codeBlock = (text: string, attributes: Html = html``): Html =>
  html`<pre tabindex="0"><code${attributes}>${text}</code></pre>`;

const samples = (contract: Contract, operation: OperationObject, resolve: Resolve): Html => {
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(each));
  const path = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map(({ name, schema }) => [name, exampleOf(schema, resolve)]),
  );
  const ways = samplesOf({ contract, path, body: bodyExample(operation, resolve) });
  return html`<div class="samples"><div class="ways">${ways.map(
    ({ way, title }) => html`<button type="button" data-way="${way}">${title}</button>`,
  )}</div>${ways.map(({ way, text }) => html`<div class="sample ${way}">${codeBlock(text, html` data-base`)}</div>`)}</div>`;
};

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const answerExamples = ({ responses }: OperationObject, resolve: Resolve): Html[] =>
  Object.entries(responses).flatMap(([status, given]) => {
    const example = Number(status) < 300 && contentExample(resolve<ResponseObject>(given).content ?? {}, resolve);
    return example
      ? [html`<h5>Response <span class="status good">${status}</span></h5>${codeBlock(written(example.value))}`]
      : [];
  });

const marks = ({ stability, deprecation }: Contract): Html =>
  html`${
    stability && html` <span class="mark">${stability}</span>`
  }${deprecation && html` <span class="mark warn">deprecated, will be removed on ${deprecation.sunset.toISOString().slice(0, 10)}</span>`}`;

export const operationSection = (contract: Contract, operation: OperationObject, resolve: Resolve): Html => {
  const body = bodyExample(operation, resolve);
  return html`<details class="operation" id="${contract.id}" data-method="${contract.method}" data-path="${contract.path}">
<summary>${methodBadge(contract.method)} <h4>${operation.summary}</h4> <code>${contract.path}</code>${marks(contract)}</summary>
<div class="columns"><div>
${markdown(operation.description)}
${parametersOf(operation, resolve)}${requestBody(operation, resolve)}
${answersOf(operation, resolve)}
${refusalsOf(contract)}
</div><div>
${samples(contract, operation, resolve)}
${body && html`<h5>Body</h5>${codeBlock(written(body.value), html` class="body" data-type="${body.type}"`)}`}
${answerExamples(operation, resolve)}
</div></div>
</details>`;
};
