import type { Scope } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

/** The scope that reads the object of an event. */
const READING: Readonly<Record<Kind, Scope>> = {
  pet: 'pets:read',
  category: 'pets:read',
  order: 'orders:read',
  key: 'keys:write',
  webhook: 'keys:write',
};

/** The scopes of a webhook's key at this moment; undefined once it is revoked or has expired. */
export type KeyScopes = readonly Scope[] | undefined;

const readingScope = (type: EventType): Scope => READING[type.split('.', 1)[0] as Kind];

/** The missing scope that events of a type need. */
export const lackingScope = (type: EventType, scopes: readonly Scope[]): Scope | undefined => {
  const scope = readingScope(type);
  return scopes.includes(scope) ? undefined : scope;
};

/** The event types that these scopes may read. */
export const readableEvents = (scopes: readonly Scope[]): EventType[] =>
  EVENT_TYPES.filter((type) => !lackingScope(type, scopes));

/** Why a webhook does not get an event, for its owner to read. A test needs no scope: it shows only the webhook itself. */
export const hiddenReason = (type: EventType, scopes: KeyScopes): string | undefined => {
  if (scopes === undefined) return 'not sent: the key of the webhook is revoked or has expired';
  const lacking = type === 'webhook.test' ? undefined : lackingScope(type, scopes);
  return lacking && `not sent: the key of the webhook lacks the scope ${lacking}, which ${type} takes`;
};
