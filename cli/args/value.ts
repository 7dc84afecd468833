import { parseJson } from '../../src/kernel/json.ts';
import { tryTo } from '../../src/kernel/runtime.ts';
import { ARGUMENTS } from '../messages.ts';
import type { RequestFlag } from './flag.ts';
import { BadUsage } from './read-arguments.ts';

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const durationMs = (text: string): number | undefined => {
  const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
};

const SHORT_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

const toTime = (text: string, now: number): string => {
  const ms = durationMs(text);
  if (ms !== undefined) return new Date(now + ms).toISOString();
  const [, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = SHORT_TIME.exec(text) ?? [];
  return day === undefined ? text : `${day}T${minutes}${seconds}${zone}`;
};

/** Returns a bigint for an integer beyond 2^53, because a number would be rounded. */
const toInteger = (text: string): unknown => {
  if (!/^-?\d+$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
};

const toJson = (flag: string, text: string): unknown => {
  const value = tryTo(() => parseJson(text));
  if (value === undefined) throw new BadUsage(ARGUMENTS.notJson(flag));
  return value;
};

export const toJsonValue = ({ flag, kind, nullable }: RequestFlag, text: string, now: number): unknown => {
  if (nullable && text === 'null') return null;
  if (kind === 'integer') return toInteger(text);
  if (kind === 'boolean') return { true: true, false: false }[text] ?? text;
  if (kind === 'array') return text.split(',').map((item) => item.trim());
  if (kind === 'time') return toTime(text, now);
  return kind === 'json' ? toJson(flag, text) : text;
};
