import { faulty } from '../../kernel/failure.ts';
import { tryTo } from '../../kernel/runtime.ts';

const ENCODED = /[%+]/;

const decode = (text: string): string | undefined =>
  ENCODED.test(text) ? tryTo(() => decodeURIComponent(text.replaceAll('+', ' '))) : text;

export type Occurrence = 'once' | 'list';

const knownName = (name: string, names: ReadonlyMap<string, Occurrence>): string | undefined => {
  if (names.has(name)) return name;
  const list = name.endsWith('[]') ? name.slice(0, -2) : '';
  return names.get(list) === 'list' ? list : undefined;
};

export const readQuery = (text: string, names: ReadonlyMap<string, Occurrence>): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const given = decode(equals < 0 ? pair : pair.slice(0, equals));
    const name = given === undefined ? undefined : knownName(given, names);
    if (name === undefined) continue;
    const isRepeated = name in values;
    if (isRepeated && names.get(name) === 'once')
      throw faulty('invalid_parameter', { parameter: name, detail: 'must be given only once' });
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined)
      throw faulty('invalid_parameter', { parameter: name, detail: 'must be percent-encoded UTF-8' });
    values[name] = isRepeated ? `${values[name]},${value}` : value;
  }
  return values;
};
