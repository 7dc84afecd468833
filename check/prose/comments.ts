import { type Part, type Passage, splitAtCode } from './passage.ts';

export type Comment = { start: number; end: number; isLine: boolean };

/** Also matches strings, so that a `/*` inside a string does not count as the start of a comment. */
const CSS_TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*[\s\S]*?\*\//g;

export const cssComments = (text: string): Comment[] =>
  [...text.matchAll(CSS_TOKEN)]
    .filter(([token]) => token.startsWith('/*'))
    .map(({ 0: token, index }) => ({ start: index, end: index + token.length, isLine: false }));

const joinLines = (comments: readonly Comment[], text: string): Comment[] => {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isNext = last?.isLine && comment.isLine && /^\r?\n[ \t]*$/.test(text.slice(last.end, comment.start));
    if (isNext) last.end = comment.end;
    else joined.push({ ...comment });
  }
  return joined;
};

const FRAME = /^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/+)?[ \t]*/;
const STARTS_PARAGRAPH = /^(?:- |\d+\. |@)/;
const TO_TOOLS = /^(?:biome-ignore [^:]*: |@\w+ ?)/;

const paragraphsOf = (comment: string, start: number): Part[][] => {
  const paragraphs: Part[][] = [[]];
  let at = start;
  for (const line of comment.split('\n')) {
    const frame = FRAME.exec(line)?.[0].length ?? 0;
    const inner = line.slice(frame).replace(/[ \t]*(?:\*\/)?$/, '');
    const skipped = TO_TOOLS.exec(inner)?.[0].length ?? 0;
    if (inner === '' || STARTS_PARAGRAPH.test(inner)) paragraphs.push([]);
    const parts = splitAtCode(inner.slice(skipped), at + frame + skipped);
    const space = { start: at, end: at, text: ' ', isCode: false };
    const paragraph = paragraphs.at(-1) as Part[];
    paragraph.push(...(paragraph.length > 0 ? [space] : []), ...parts);
    at += line.length + 1;
  }
  return paragraphs.filter((parts) => parts.length > 0);
};

export const commentPassages = (text: string, comments: readonly Comment[]): Passage[] =>
  joinLines(comments, text).flatMap(({ start, end }) =>
    paragraphsOf(text.slice(start, end), start).map((parts) => ({ kind: 'comment' as const, parts, context: [] })),
  );
