export type Edit = { start: number; end: number; text: string };

type Change = readonly [RegExp, string];

const VALUE = String.raw`(?:\$\d+|'[^']*'|-?\d+|[a-z_]+(?:\.[a-z_]+)?)`;
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
  // Makes the condition always true. The condition's parameter stays in the statement, because databases reject unused
  // parameters.
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
  [/(?<=\n) *(?!local |if |for )[a-z][\w.[\]', ]* = .*(?=\n)/g, ''],
  [/(?<=\n) *redis\.call\(.*(?=\n)/g, ''],
  ...Array.from(
    { length: 3 },
    (_, number): Change => [new RegExp(`(?<= )${number}\\b(?! *[.\\]])`, 'g'), `${number + 1}`],
  ),
];

const LANGUAGES: readonly (readonly [string, readonly Change[]])[] = [
  ['.sql.ts', SQL],
  ['script.redis.ts', LUA],
];

export const editText = (file: string, start: number, written: string): Edit[] =>
  (LANGUAGES.find(([ending]) => file.endsWith(ending))?.[1] ?? []).flatMap(([pattern, replacement]) =>
    [...written.matchAll(pattern)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
      text: replacement.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
    })),
  );
