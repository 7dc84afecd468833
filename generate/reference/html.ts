export type Html = { readonly markup: string };

type Part = Html | string | number | false | undefined | readonly Part[];

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const write = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(write).join('');
};

export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((text, string, index) => text + write(parts[index - 1]) + string),
});

/** HTML in Markdown is shown as text, because it is always a placeholder such as `<id>`. */
const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } };

export const markdown = (text: string): Html => ({ markup: Bun.markdown.html(text, OPTIONS) });

export const inlineMarkdown = (text: string): Html => ({
  markup: Bun.markdown.html(text, OPTIONS).replace(/^<p>([\s\S]*)<\/p>\n$/, '$1'),
});
