/** A part of a text, and what is to stand there instead. */
export type Edit = { start: number; end: number; text: string };

/** What is found, and what takes its place; `$1` and the like are what the pattern's groups have found. */
type Change = readonly [RegExp, string];

const VALUE = String.raw`(?:\$\d+|'[^']*'|-?\d+|[a-z_]+(?:\.[a-z_]+)?)`;
/** Where a condition begins: behind a word that asks for one, or as a text of its own. */
const CONDITION = String.raw`(?<=(?:\b(?:WHERE|AND|OR|ON|WHEN)\s+\(?)|^['"\`])`;

const SQL: readonly Change[] = [
  [/<=/g, '<'],
  [/>=/g, '>'],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\bNOT \(/g, '('],
  [/IS NULL/g, 'IS NOT NULL'],
  [/IS NOT NULL/g, 'IS NULL'],
  [/ DESC\b/g, ' ASC'],
  [/ \+ /g, ' - '],
  // A condition that always holds. Its value stays: an engine refuses one too many.
  [new RegExp(`${CONDITION}[a-z_.]+ (?:=|<>|<=?|>=?|LIKE) (${VALUE})`, 'g'), '$1 = $1'],
  [/(?<=\bSET\b[^;]*)\b([a-z_]+) = (?:NULL|'[a-z]*')(?=,| WHERE)/g, '$1 = $1'],
  [/ON CONFLICT DO NOTHING/g, ''],
  [/DO UPDATE\s+SET [^$]*?(?=\s+WHERE|\s+RETURNING|$)/g, 'DO NOTHING'],
];

const LUA: readonly Change[] = [
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ == /g, ' ~= '],
  [/ ~= /g, ' == '],
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/\bnot /g, ''],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/\bmath\.max\b/g, 'math.min'],
  [/\bmath\.min\b/g, 'math.max'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=if ).+?(?= then\b)/g, 'false'],
  // A whole line that sets something, or does it.
  [/(?<=\n) *(?!local |if |for )[a-z][\w.[\]', ]* = .*(?=\n)/g, ''],
  [/(?<=\n) *redis\.call\(.*(?=\n)/g, ''],
  ...Array.from(
    { length: 3 },
    (_, number): Change => [new RegExp(`(?<= )${number}\\b(?! *[.\\]])`, 'g'), `${number + 1}`],
  ),
];

/** By the end of a file's name: the language of its texts. */
const LANGUAGES: readonly (readonly [string, readonly Change[]])[] = [
  ['.sql.ts', SQL],
  ['script.redis.ts', LUA],
];

/** Every change of a text of another language that stands in a file of ours. */
export const editText = (file: string, start: number, written: string): Edit[] =>
  (LANGUAGES.find(([ending]) => file.endsWith(ending))?.[1] ?? []).flatMap(([pattern, replacement]) =>
    [...written.matchAll(pattern)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
      text: replacement.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
    })),
  );
