import { z } from 'zod';

/** RFC 3339 lets any number of digits follow the second. */
const LONGEST = 40;

/** Where RFC 3339 ends: a later year would come back with more than four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

const rfc3339 = z.iso.datetime({ offset: true });

const ERROR = 'must be a time like 2030-01-31T12:00:00Z or 2030-01-31T13:00:00+01:00';

/** A moment in an answer, in UTC. No pattern is published: clients read it as a time and not as text. */
export const instant = z.string().meta({ format: 'date-time' });

/** A moment in a request, at any offset from UTC; the letters of RFC 3339 may be small. */
export const instantText = z
  .string({ error: ERROR })
  .max(LONGEST, { error: `must be at most ${LONGEST} characters long`, abort: true })
  .transform((text, context) => {
    const { success, data } = rfc3339.safeParse(text.toUpperCase());
    const at = success ? Date.parse(data) : Number.NaN;
    if (at <= LATEST) return at;
    context.addIssue({ code: 'custom', message: ERROR });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

/** A moment as answers spell it. */
export const spellInstant = (at: number): string => new Date(at).toISOString();
