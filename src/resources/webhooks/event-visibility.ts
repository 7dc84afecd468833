import type { Scope } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventKind, type EventType, READING_SCOPES } from '../../kernel/event.ts';

/** The scopes of a webhook's key, or undefined if the key is revoked or expired. */
export type KeyScopes = readonly Scope[] | undefined;

const readingScope = (type: EventType): Scope => READING_SCOPES[type.split('.', 1)[0] as EventKind];

export const lackingScope = (type: EventType, scopes: readonly Scope[]): Scope | undefined => {
  const scope = readingScope(type);
  return scopes.includes(scope) ? undefined : scope;
};

export const readableEvents = (scopes: readonly Scope[]): EventType[] =>
  EVENT_TYPES.filter((type) => !lackingScope(type, scopes));

/** Test events describe only the webhook itself, so no scope is needed to receive them. */
export const hiddenReason = (type: EventType, scopes: KeyScopes): string | undefined => {
  if (scopes === undefined) return "not sent: the webhook's key has been revoked or has expired";
  const lacking = type === 'webhook.test' ? undefined : lackingScope(type, scopes);
  return lacking && `not sent: the webhook's key lacks the \`${lacking}\` scope, which ${type} events require`;
};
