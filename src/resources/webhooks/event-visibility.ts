import type { Scope } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

const READING: Readonly<Record<Kind, Scope>> = {
  pet: 'pets:read',
  category: 'pets:read',
  order: 'orders:read',
  key: 'keys:write',
  webhook: 'keys:write',
};

/** Undefined if the key is revoked or expired. */
export type KeyScopes = readonly Scope[] | undefined;

const readingScope = (type: EventType): Scope => READING[type.split('.', 1)[0] as Kind];

export const lackingScope = (type: EventType, scopes: readonly Scope[]): Scope | undefined => {
  const scope = readingScope(type);
  return scopes.includes(scope) ? undefined : scope;
};

export const readableEvents = (scopes: readonly Scope[]): EventType[] =>
  EVENT_TYPES.filter((type) => !lackingScope(type, scopes));

/** Explains why a webhook does not receive an event. Test events describe only the webhook, so they need no scope. */
export const hiddenReason = (type: EventType, scopes: KeyScopes): string | undefined => {
  if (scopes === undefined) return "not sent: the webhook's key has been revoked or has expired";
  const lacking = type === 'webhook.test' ? undefined : lackingScope(type, scopes);
  return lacking && `not sent: the webhook's key lacks the \`${lacking}\` scope, which ${type} events require`;
};
