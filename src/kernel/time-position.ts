import { z } from 'zod';

/** The place of a row in a list that is ordered by time: the id tells rows of one millisecond apart. */
export type TimePosition = { createdAt: number; id: string };

export const timePosition = z
  .string()
  .regex(/^\d{1,16}\.\w{1,64}$/)
  .transform((text): TimePosition => {
    const dot = text.indexOf('.');
    return { createdAt: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
  });

export const spellTimePosition = ({ createdAt, id }: TimePosition): string => `${createdAt}.${id}`;
