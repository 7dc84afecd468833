import type { z } from 'zod';
import { unexpected } from '../../client/src/errors.ts';
import { kebab, readSchema } from '../args/flag.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS } from '../messages.ts';
import { folded } from '../rows/pet-rows.ts';
import { changeWords, type EventShown, eventWords } from './text.ts';

export type Row = Record<string, unknown>;

export type Column = {
  name: string;
  isTime: boolean;
  derive?: (row: Row, now: number) => string;
};

type View = { first: readonly string[]; derived?: Record<string, NonNullable<Column['derive']>> };

const isPast = (at: unknown, now: number): boolean => typeof at === 'string' && Date.parse(at) <= now;

const keyState = ({ revokedAt, expiresAt, bannedUntil }: Row, now: number): string => {
  if (revokedAt) return 'revoked';
  if (isPast(expiresAt, now)) return 'expired';
  return bannedUntil && !isPast(bannedUntil, now) ? 'banned' : 'active';
};

type Changes = { field: string; from: unknown; to: unknown }[];
const WHAT = { what: (row: Row) => eventWords(row as EventShown) };

const VIEWS: Record<string, View> = {
  Key: { first: ['id', 'name', 'plan', 'state', 'lastUsedAt', 'expiresAt'], derived: { state: keyState } },
  Webhook: {
    first: ['id', 'url', 'state', 'events'],
    derived: { state: ({ enabled, disabledReason }) => (enabled ? 'enabled' : `off: ${disabledReason}`) },
  },
  Delivery: { first: ['id', 'state', 'responseStatus', 'attempt', 'attemptedAt', 'nextAttemptAt', 'eventId'] },
  Event: { first: ['sequence', 'timestamp', 'type', 'what', 'id'], derived: WHAT },
  AuditEntry: { first: ['timestamp', 'type', 'what', 'actor', 'address'], derived: WHAT },
  HistoryEntry: {
    first: ['timestamp', 'type', 'what', 'orderId', 'actor'],
    derived: {
      what: ({ changes }) => (changes as Changes).map(({ field, from, to }) => changeWords(field, from, to)).join(', '),
    },
  },
};

export const columnsOf = (schema: z.ZodType): { fields: Column[]; view: Column[] } => {
  const { root, resolve } = readSchema(schema, 'output');
  const properties = Object.entries(root.properties ?? {}).map(([name, given]) => ({ name, field: resolve(given) }));
  const fields = properties.map(({ name, field }) => ({ name, isTime: field.format === 'date-time' }));
  const { first = [], derived = {} } = VIEWS[schema.meta()?.id ?? ''] ?? {};
  const all: Column[] = [
    ...fields,
    ...Object.entries(derived).map(([name, derive]) => ({ name, isTime: false, derive })),
  ];
  const long = properties.filter(({ field }) => field.items || field.properties).map(({ name }) => name);
  const rank = ({ name }: Column): number =>
    first.includes(name) ? first.indexOf(name) : long.includes(name) ? 200 : 100;
  return { fields, view: all.sort((a, b) => rank(a) - rank(b)) };
};

export const chooseColumns = (view: readonly Column[], names: string, hint: string): Column[] =>
  names.split(',').map((given) => {
    const name = folded(given);
    const found = view.find((column) => [name, `${name}at`].includes(folded(column.name)));
    if (found) return found;
    const known = view.map((column) => column.name);
    throw new BadUsage(ARGUMENTS.unknownColumn(given, known, suggest(given, known)), hint);
  });

export const headingOf = ({ name, isTime }: Column): string =>
  kebab(isTime ? name.replace(/At$/, '') : name).replaceAll('-', ' ');

const isThing = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const notPetstore = () => unexpected('the body has an unexpected structure', { status: 200 });

export const expectThing = (value: unknown, ...texts: string[]): Row => {
  if (isThing(value) && texts.every((name) => typeof value[name] === 'string')) return value;
  throw notPetstore();
};

export const expectRows = (value: unknown): Row[] => {
  if (Array.isArray(value) && value.every(isThing)) return value;
  throw notPetstore();
};
