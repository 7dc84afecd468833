export type Part = { start: number; end: number; text: string; isCode: boolean };

export type Passage = { kind: 'comment' | 'string' | 'title'; parts: Part[]; context: readonly string[] };

const readEscapes = (text: string): string =>
  text.replace(/\\([nrt'"`\\$])/g, (_, escaped: string) => ('nrt'.includes(escaped) ? ' ' : escaped));

export const splitAtCode = (text: string, start: number): Part[] =>
  [...text.matchAll(/\\?`[^`]*`|[^`\\]+|`|\\[^`]?/g)].map(({ 0: part, index }) => ({
    start: start + index,
    end: start + index + part.length,
    text: readEscapes(part),
    isCode: /^\\?`./.test(part),
  }));
