import { faulty } from '../../kernel/failure.ts';

/** Most values need no decoding. */
const ENCODED = /[%+]/;

const decode = (text: string): string | undefined => {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Decodes the known parameters. Unknown parameters are ignored, and repeated known ones are refused. */
export const readQuery = (text: string, names: ReadonlySet<string>): Record<string, string> => {
  const values: Record<string, string> = {};
  if (text === '') return values;
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined || !names.has(name)) continue;
    if (name in values) throw faulty('invalid_parameter', { parameter: name, detail: 'must be given only once' });
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined)
      throw faulty('invalid_parameter', { parameter: name, detail: 'must be percent-encoded UTF-8' });
    values[name] = value;
  }
  return values;
};
