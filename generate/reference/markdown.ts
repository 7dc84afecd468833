import type { Html } from './html.ts';

/** HTML inside Markdown is shown as text: what is written there is a placeholder such as `<id>`. */
const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } };

export const markdown = (text: string): Html => ({ markup: Bun.markdown.html(text, OPTIONS) });

/** One paragraph, without the element around it. */
export const inlineMarkdown = (text: string): Html => ({
  markup: Bun.markdown.html(text, OPTIONS).replace(/^<p>([\s\S]*)<\/p>\n$/, '$1'),
});
