import type { Scope } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

/** With which scope the things that events of a kind tell of are read. */
const READING: Readonly<Record<Kind, Scope>> = {
  pet: 'pets:read',
  category: 'pets:read',
  order: 'orders:read',
  key: 'keys:write',
  webhook: 'keys:write',
};

/** What the key of a webhook may do; undefined once it is revoked or has expired. */
export type KeyScopes = readonly Scope[] | undefined;

const readingScope = (type: EventType): Scope => READING[type.split('.', 1)[0] as Kind];

/** The scope that is missing to be told of events of a type. */
export const lackingScope = (type: EventType, scopes: readonly Scope[]): Scope | undefined => {
  const scope = readingScope(type);
  return scopes.includes(scope) ? undefined : scope;
};

/** All that may be told where these scopes are. */
export const readableEvents = (scopes: readonly Scope[]): EventType[] =>
  EVENT_TYPES.filter((type) => !lackingScope(type, scopes));

/** Why a webhook is not told of an event, in words that its owner may read. A test tells it of nothing but itself. */
export const hiddenReason = (type: EventType, scopes: KeyScopes): string | undefined => {
  if (scopes === undefined) return 'not sent: the key of the webhook is revoked or has expired';
  const lacking = type === 'webhook.test' ? undefined : lackingScope(type, scopes);
  return lacking && `not sent: the key of the webhook lacks the scope ${lacking}, which ${type} takes`;
};
