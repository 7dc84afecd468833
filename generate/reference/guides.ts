import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdown } from './html.ts';

type GuideText = { path: string; text: string };

const guide = (name: string): string => `docs/guides/${name}.md`;

export const GUIDE_TEXTS: readonly GuideText[] = [
  'docs/using.md',
  ...['keys', 'limits', 'paging', 'errors', 'idempotency', 'events', 'webhooks', 'staging'].map(guide),
  guide('when-one-machine-is-not-enough'),
].map((path) => ({ path, text: readFileSync(join(import.meta.dirname, '../..', path), 'utf8') }));

const ERRORS_PAGE = 'docs/errors';

const anchorOf = (path: string): string => `guide-${path.slice(path.lastIndexOf('/') + 1, -'.md'.length)}`;

const place = (href: string, from: string, paths: readonly string[]): string | undefined => {
  const { protocol, pathname, hash } = new URL(href, `file:///${from}`);
  const path = pathname.slice(1);
  if (protocol !== 'file:') return href;
  if (paths.includes(path)) return `#${anchorOf(path)}${hash && `-${hash.slice(1)}`}`;
  if (path === 'docs/errors.md') return ERRORS_PAGE;
  return path === 'openapi.json' ? path : undefined;
};

/** Two guides may contain the same heading, so each heading's anchor begins with the guide's anchor. */
const fit = (markup: string, from: string, paths: readonly string[]): string =>
  markup
    .replaceAll(/<h(\d) id="([^"]*)">([\s\S]*?)<\/h\1>/g, (_, level: string, id: string, content: string) => {
      const tag = `h${Math.min(6, Number(level) + 1)}`;
      return `<${tag} id="${anchorOf(from)}-${id}">${content}</${tag}>`;
    })
    .replaceAll(/<a href="([^"]*)">([\s\S]*?)<\/a>/g, (_, href: string, content: string) => {
      const to = place(href, from, paths);
      return to === undefined ? content : `<a href="${to}">${content}</a>`;
    })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');

const aboutOf = (path: string, list: string): string | undefined =>
  new RegExp(String.raw`^- \[[^\]]+\]\(guides/${path.split('/').at(-1)}\): ([^;\n]+)`, 'm').exec(list)?.[1];

export const createGuides = (texts: readonly GuideText[]) => {
  const paths = texts.map(({ path }) => path);
  return texts.map(({ path, text }) => {
    const [, title = path, rest = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
    const about = aboutOf(path, texts[0]?.text ?? '');
    const markup = fit(markdown(rest).markup, path, paths);
    const headings = [...markup.matchAll(/<h3 id="([^"]*)">([\s\S]*?)<\/h3>/g)].map(([, anchor = '', label = '']) => ({
      anchor,
      label: { markup: label },
    }));
    return { anchor: anchorOf(path), title, about, headings, body: { markup } };
  });
};

export type Guide = ReturnType<typeof createGuides>[number];
