import { parseSync } from 'oxc-parser';
import { commentPassages, cssComments } from './comments.ts';
import { type Passage, splitAtCode } from './passage.ts';
import { CODE } from './sentences.ts';
import { type Node, stringPassages } from './strings.ts';

const IS_TEST = /\.(?:test|suite)\.tsx?$|^(?:test|client\/test)\//;
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|BEGIN|FROM|AND|OR|RETURNING|ON|SET|VALUES|JOIN|LIMIT|LOCK|VACUUM|ATTACH|EXISTS|NOT)\s[A-Za-z"({*$]|\b(?:SELECT|WHERE|CASE WHEN|ON CONFLICT|ORDER BY|bigint NOT NULL)[\s,]/;
const OTHER_CODE = /=>|[;{]\s*$|\)\s*\{|^[\w-]+=|^https?:|\blocal \w+ = |\bsum by \(/;

const isProse = ({ parts }: Pick<Passage, 'parts'>): boolean => {
  const text = parts
    .map((part) => (part.isCode ? CODE : part.text))
    .join('')
    .trim();
  if (SQL.test(text) || OTHER_CODE.test(text)) return false;
  const tokens = text.split(/\s+/).filter((token) => !token.includes(CODE));
  const words = tokens.filter((token) => /^["'“‘(]*\p{L}[\p{L}’'-]*["'”’).,:;!?…]*$/u.test(token));
  return words.length >= 2 ? words.length * 2 > tokens.length : /^\p{Lu}\p{Ll}+$/u.test(text);
};

const yamlPassages = (text: string): Passage[] => {
  const found: Passage[] = [];
  const visit = (value: unknown, key: string): void => {
    const start = typeof value === 'string' ? text.indexOf(value) : -1;
    if (start >= 0 && /^(?:summary|description)$/.test(key)) {
      found.push({ kind: 'string', parts: splitAtCode(value as string, start), context: [key] });
    }
    if (typeof value === 'object') for (const [name, each] of Object.entries(value ?? {})) visit(each, name);
  };
  visit(Bun.YAML.parse(text), '');
  return found;
};

export const passagesOf = (path: string, text: string): Passage[] => {
  if (path.endsWith('.css')) return commentPassages(text, cssComments(text));
  if (path.endsWith('.yml')) return yamlPassages(text);
  const { comments, program } = parseSync(path, text);
  const spans = comments.map(({ type, start, end }) => ({ start, end, isLine: type === 'Line' }));
  const strings = stringPassages(program as unknown as Node, text);
  return [
    ...commentPassages(text, spans),
    ...strings.filter((passage) => passage.kind === 'title' || (!IS_TEST.test(path) && isProse(passage))),
  ].sort((one, other) => (one.parts[0]?.start ?? 0) - (other.parts[0]?.start ?? 0));
};
