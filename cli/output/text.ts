import { once } from '../../src/kernel/runtime.ts';

/** A pet's name may contain control characters, and a terminal would act on them. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export const visible = (text: string): string =>
  text.replaceAll(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${visible(name)}=${cell(inner)}`)
      .join(' ');
  return visible(String(value));
};

export const displayWidth = (text: string): number => Bun.stringWidth(text);

/** Created only when needed, because creating it takes 2 ms, and `petstore serve` does not need it. */
const graphemes = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of graphemes().segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

const FAR_MS = 60 * 86_400_000;

export const relativeTime = (at: number, now: number): string => {
  const away = Math.abs(at - now);
  if (away > FAR_MS) return new Date(at).toISOString().slice(0, '2027-01-31'.length);
  const [ms, name] = UNITS.find(([unit]) => away >= unit) ?? [1, ''];
  if (name === '') return 'now';
  const count = `${Math.floor(away / ms)} ${name}`;
  return at > now ? `in ${count}` : `${count} ago`;
};

type Fields = Record<string, unknown>;
export type EventShown = { type: string; data?: { object?: Fields; previous?: Fields; mergedInto?: Fields } };

export const changeWords = (field: string, from: unknown, to: unknown): string =>
  `${field} ${cell(from)} → ${cell(to)}`;

export const eventWords = ({ type, data: { object = {}, previous = {}, mergedInto } = {} }: EventShown): string => {
  const [kind = ''] = type.split('.');
  const { id, name, petId, url } = object;
  const about = [
    typeof id === 'string' ? undefined : kind,
    id,
    name ?? url,
    petId === undefined ? undefined : `for pet ${cell(petId)}`,
  ];
  const changes = Object.entries(previous).map(([field, was]) => changeWords(field, was, object[field]));
  if (mergedInto) changes.push(`merged into ${cell(mergedInto.id)} ${cell(mergedInto.name ?? '')}`.trim());
  const subject = about.filter((part) => part !== undefined && part !== null).map(cell);
  return [subject.join(' '), ...changes].join(', ');
};
