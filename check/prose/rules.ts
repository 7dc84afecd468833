import type { TextlintRuleModule } from '@textlint/kernel';
import { CODE, countWords, isPassive, splitSentences } from './sentences.ts';
import { EXCEPTIONS, GOAL_WORDS, MAXIMUM_WORDS, RULES } from './words.ts';

type TextNode = { type: string; range: readonly [number, number]; value?: string; children?: TextNode[] };

export type Tally = { sentences: number; long: number; passive: number };

type Flat = { shown: string; plain: string; places: { at: number; source: number }[] };

const WRAP = /(?!\n\s*(?:\n|[-#|>] ))\s/g;

const flatten = (node: TextNode): Flat => {
  const flat: Flat = { shown: '', plain: '', places: [] };
  const add = (text: string, isCode: boolean, source: number): void => {
    flat.places.push({ at: flat.shown.length, source });
    flat.shown += text;
    flat.plain += isCode ? CODE.repeat(text.length) : text;
  };
  const walk = ({ type, range, value = '', children }: TextNode): void => {
    if (type === 'Str') add(value.replaceAll(WRAP, ' '), false, range[0]);
    else if (type === 'Code') add(value.replaceAll(/\s/g, ' ') || ' ', true, range[0]);
    else if (type === 'Break') add(' ', false, range[0]);
    else for (const child of children ?? []) walk(child);
  };
  walk(node);
  return flat;
};

const hideExceptions = (text: string, path: string): string =>
  EXCEPTIONS.filter(({ files }) => files.test(path)).reduce(
    (hidden, exception) => hidden.replaceAll(exception.text, (match) => CODE.repeat(match.length)),
    text,
  );

type Finding = { at: number; length: number; instead: string };

const findWords = (text: string): Finding[] =>
  RULES.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ at: index, length: match.length, instead })),
  );

const findFaults = (text: string, tally: Tally): Finding[] =>
  splitSentences(text).flatMap((sentence) => {
    const words = Math.max(...sentence.text.split(';').map(countWords));
    tally.sentences += 1;
    if (words > GOAL_WORDS) tally.long += 1;
    if (isPassive(sentence.text)) tally.passive += 1;
    const found = findWords(sentence.text);
    if (words > MAXIMUM_WORDS) {
      found.push({ at: 0, length: 40, instead: `${words} words: at most ${MAXIMUM_WORDS} in a sentence` });
    }
    return found.map((each) => ({ ...each, at: sentence.start + each.at }));
  });

const AROUND = 24;

const quote = (text: string, { at, length }: Finding): string => {
  const [start, end] = [Math.max(0, at - AROUND), Math.min(text.length, at + length + AROUND)];
  return `${start > 0 ? '…' : ''}${text.slice(start, end).replaceAll(/\s+/g, ' ').trim()}${end < text.length ? '…' : ''}`;
};

export const createProseRule =
  (tally: Tally): TextlintRuleModule =>
  ({ Syntax, RuleError, report, locator, getFilePath }) => {
    const path = getFilePath() ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: textlint has a type for each kind of node.
    const check = (node: any): void => {
      const { shown, plain, places } = flatten(node);
      for (const finding of findFaults(hideExceptions(plain, path), tally)) {
        const place = places.findLast(({ at }) => at <= finding.at) ?? { at: 0, source: node.range[0] };
        const offset = Math.min(place.source + finding.at - place.at, node.range[1] - 1) - node.range[0];
        const message = `${quote(shown, finding)} → ${finding.instead}`;
        report(node, new RuleError(message, { padding: locator.at(Math.max(0, offset)) }));
      }
    };
    return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check };
  };
