import type { Contract, Environment } from '../../src/kernel/contract.ts';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { ADVICE, STATUSES, type Status } from '../docs/failure-words.ts';
import { failuresOf } from '../openapi/failures.ts';
import { LOOK, THEME } from './assets.ts';
import { brand, framePage, ribbon, THEME_BUTTON } from './frame.html.ts';
import { type Html, html, inlineMarkdown } from './html.ts';

type ErrorsPage = { contracts: readonly Contract[]; environment: Environment };

const MAX_NAMED = 12;

const whoAnswers = (code: FailureCode, contracts: readonly Contract[]): Html => {
  const those = contracts.filter((contract) => failuresOf(contract).includes(code));
  if (those.length === 0) return html`Any request with an unknown path or method.`;
  if (those.length > MAX_NAMED) return html`${those.length} of ${contracts.length} operations.`;
  return html`${those.map(({ id, summary }, index) => html`${index > 0 && ', '}<a href="../docs#${id}">${summary}</a>`)}`;
};

const codeSection = (code: FailureCode, contracts: readonly Contract[]): Html => {
  const { status, meaning } = FAILURES[code];
  const body = JSON.stringify({ code, message: meaning, status }, null, 2);
  return html`<section id="${code}"><h3><a href="#${code}"><code>${code}</code></a></h3>
<p>${inlineMarkdown(meaning)}</p>
<dl><dt>What to do</dt><dd>${inlineMarkdown(ADVICE[code])}</dd><dt>Returned by</dt><dd>${whoAnswers(code, contracts)}</dd></dl>
<pre tabindex="0"><code>${body}</code></pre></section>`;
};

const statusSection = (status: Status, codes: readonly FailureCode[], contracts: readonly Contract[]): Html => {
  const { title, headers } = STATUSES[status];
  return html`<h2>${status} ${title}</h2>${headers && html`<p>${inlineMarkdown(headers)}</p>`}
${codes.map((code) => codeSection(code, contracts))}`;
};

export const errorsPage = ({ contracts, environment }: ErrorsPage): string => {
  const codes = Object.keys(FAILURES) as FailureCode[];
  const byStatus = [...Map.groupBy(codes, (code) => FAILURES[code].status)].sort(([a], [b]) => a - b);
  return framePage({
    title: 'Pet Store errors',
    styles: [LOOK.name],
    scripts: [THEME.name],
    body: html`${ribbon(environment, '../')}<header class="bar">${brand('../')}<nav><a href="../console/">Console</a> <a href="../docs">Reference</a></nav>${THEME_BUTTON}</header>
<main class="errors"><h1>Errors</h1>
<p>An error has a <code>code</code>, a <code>message</code> and a <code>status</code>. Programs use the code, whose meaning never
changes. The message is for people and says what to fix. With <code>Accept: application/problem+json</code>, errors are
problem details (RFC 9457) instead; their <code>type</code> is the address of a code on this page.</p>
<nav aria-label="Codes"><ul>${byStatus.flatMap(([status, those]) =>
      those.map((code) => html`<li><span class="status">${status}</span> <a href="#${code}">${code}</a></li>`),
    )}</ul></nav>
${byStatus.map(([status, those]) => statusSection(status, those, contracts))}
</main>`,
  });
};
