import { createElement, Fragment, type ReactNode } from 'react';

/** Letters of right-to-left scripts, and control characters that change the direction of text. */
const TURNING =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Characters that would end the isolated text early, or begin another isolated text inside it. */
const ENDING = /[\p{Cc}\u2029\u2066-\u2069]/gu;

/** A name in a right-to-left script must not change the direction of the text around it (Unicode Annex 9). */
export const isolated = (name: string): string =>
  TURNING.test(name) ? `\u2068${name.replaceAll(ENDING, '')}\u2069` : name;

const MOST_LETTERS = 30;

/** For messages that are cut after two lines: the words after the name must stay visible. */
export const brief = (name: string): string => {
  const letters = [...name];
  return isolated(letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join('')}…` : name);
};

export const showJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one), indent);

export const showCount = (count: number): string => count.toLocaleString('en');

export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

export const plural = (count: number, noun: string): string => `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;

export const phrase = (parts: TemplateStringsArray, ...values: ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...parts.flatMap((part, index) => [part, values[index]]));
