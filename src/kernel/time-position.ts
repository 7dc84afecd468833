import { z } from 'zod';

/** The place of a row in a list that is ordered by time: the id tells rows of one millisecond apart. */
type TimePosition = { at: number; id: string };

export const timePosition = z
  .string()
  .regex(/^\d{1,16}\.\w{1,64}$/)
  .transform((text): TimePosition => {
    const dot = text.indexOf('.');
    return { at: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
  });

export const spellTimePosition = ({ at, id }: TimePosition): string => `${at}.${id}`;
