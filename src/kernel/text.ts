import { z } from 'zod';

/** Why `text` cannot be a name, or undefined when it can. Length counts code points, as JSON Schema's does. */
const nameFault = (text: string): string | undefined => {
  if (!text.isWellFormed()) return 'must not contain a lone surrogate';
  if (text.includes('\0')) return 'must not contain U+0000';
  if (text.trim() === '') return 'must not be empty or only white space';
  // A code point is at most two units: what is much too long is not counted out.
  if (text.length > 510 || (text.length > 255 && [...text].length > 255)) return 'must be at most 255 characters long';
  return undefined;
};

/** `1,000`, as `toLocaleString` has it, which would load the tables of all languages at every start. */
export const spellCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** A name given by a person: kept and returned exactly as sent. */
export const nameText = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .check((context) => {
    const message = nameFault(context.value);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  })
  .meta({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' });
