import type { Contract, Environment } from '../../src/kernel/contract.ts';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { EXAMPLE } from '../../src/kernel/schema.ts';
import { ADVICE, STATUSES, type Status } from '../docs/failure-words.ts';
import { failuresOf } from '../openapi/failures.ts';
import { SCRIPT, STYLE, THEME } from './assets.ts';
import { asJson, codeBox } from './code-box.html.ts';
import { framePage, MENU, ribbon, topBar } from './frame.html.ts';
import { type Html, html, inlineMarkdown } from './html.ts';
import { part } from './operation.html.ts';

type ErrorsPage = { contracts: readonly Contract[]; environment: Environment };

const MAX_NAMED = 12;

const whoAnswers = (code: FailureCode, contracts: readonly Contract[]): Html => {
  const those = contracts.filter((contract) => failuresOf(contract).includes(code));
  if (those.length === 0) return html`Any request with an unknown path or method.`;
  if (those.length > MAX_NAMED) return html`${those.length} of ${contracts.length} operations.`;
  return html`${those.map(({ id, summary }, index) => html`${index > 0 && ', '}<a href="../docs#${id}">${summary}</a>`)}`;
};

const problemOf = (code: FailureCode): unknown => {
  const { status, meaning } = FAILURES[code];
  return { type: `/docs/errors#${code}`, title: meaning, status, detail: meaning, code, instance: EXAMPLE.requestId };
};

const codeSection = (code: FailureCode, contracts: readonly Contract[]): Html => {
  const { status, meaning } = FAILURES[code];
  const { title, headers } = STATUSES[status as Status];
  return part(
    'code',
    html` id="${code}"`,
    html`<h3><a href="#${code}"><code>${code}</code></a> <span class="pill bad">${status} ${title}</span></h3>
<p class="lead">${inlineMarkdown(meaning)}</p>
<dl class="advice"><dt>What to do</dt><dd>${inlineMarkdown(ADVICE[code])}</dd>${
      headers && html`<dt>Headers</dt><dd>${inlineMarkdown(headers)}</dd>`
    }<dt>Returned by</dt><dd>${whoAnswers(code, contracts)}</dd></dl>`,
    codeBox(
      [
        { title: 'JSON', text: asJson({ code, message: meaning, status }) },
        { title: 'Problem details', text: asJson(problemOf(code)) },
      ],
      'Format',
    ),
  );
};

export const errorsPage = ({ contracts, environment }: ErrorsPage): string => {
  const codes = Object.keys(FAILURES) as FailureCode[];
  const byStatus = [...Map.groupBy(codes, (code) => FAILURES[code].status)].sort(([a], [b]) => a - b);
  return framePage({
    title: 'Pet Store errors',
    styles: [STYLE.name],
    scripts: [THEME.name, SCRIPT.name],
    body: html`<body class="reference"><a class="skip" href="#start">Skip to content</a>${ribbon(environment, '../')}${topBar({ home: '../', page: 'docs/errors', title: 'Errors', before: MENU })}
<nav id="contents" class="toc" aria-label="Codes">${byStatus.map(
      ([status, those]) =>
        html`<h2>${status} ${STATUSES[status as Status].title}</h2><ul>${those.map((code) => html`<li><a href="#${code}">${code}</a></li>`)}</ul>`,
    )}</nav>
<main id="start">${part(
      'intro',
      html``,
      html`<h1>Errors</h1><div class="lead"><p>An error has a <code>code</code>, a <code>message</code> and a <code>status</code>. Programs use the code, whose
meaning never changes. The message is for people and says what to fix.</p>
<p>With <code>Accept: application/problem+json</code>, errors are problem details (RFC 9457) instead. Their <code>type</code> is the
address of a code on this page.</p></div>`,
      html``,
    )}${byStatus.flatMap(([, those]) => those.map((code) => codeSection(code, contracts)))}
</main></body>`,
  });
};
