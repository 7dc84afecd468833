import type { Environment } from '../../src/kernel/contract.ts';
import { type Html, html } from './html.ts';

/** The icon is inline, because browsers request a file that does not exist if a page names no icon. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='%230f7b6c'%3E" +
  "%3Cellipse cx='16' cy='22' rx='8' ry='7'/%3E%3Cellipse cx='5' cy='14' rx='3' ry='4'/%3E%3Cellipse cx='12' cy='7' rx='3' ry='4.5'/%3E" +
  "%3Cellipse cx='20' cy='7' rx='3' ry='4.5'/%3E%3Cellipse cx='27' cy='14' rx='3' ry='4'/%3E%3C/svg%3E";

type Frame = {
  title: string;
  styles: readonly string[];
  scripts: readonly string[];
  modules?: readonly string[];
  attributes?: Html;
  body: Html;
};

export const framePage = ({ title, styles, scripts, modules = [], attributes = html``, body }: Frame): string =>
  html`<!doctype html>
<html lang="en"${attributes}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map(
  (path, index) => html`<script src="${path}"${index > 0 && html` defer`}></script>\n`,
)}${modules.map((path) => html`<script type="module" src="${path}"></script>\n`)}${body}
</html>
`.markup;

export const THEME_BUTTON = html`<button type="button" class="theme" hidden></button>`;

export const brand = (home: string): Html =>
  html`<a class="brand" href="${home}"><img src="${ICON}" alt="">Pet Store</a>`;

export const ribbon = (environment: Environment, home: string): Html | false =>
  environment === 'staging' &&
  html`<p class="ribbon">Staging: test data. <a href="${home}docs#guide-staging-starting-over">How to start over</a></p>`;
