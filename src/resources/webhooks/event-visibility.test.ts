import { describe, expect, test } from 'bun:test';
import { SCOPES } from '../../kernel/contract.ts';
import { EVENT_TYPES } from '../../kernel/event.ts';
import { hiddenReason, lackingScope, readableEvents } from './event-visibility.ts';

const READING: Record<string, string> = {
  pet: 'pets:read',
  category: 'pets:read',
  order: 'orders:read',
  key: 'keys:write',
  webhook: 'keys:write',
};
const readingOf = (type: string) => READING[type.split('.')[0] ?? ''] as (typeof SCOPES)[number];

describe('an event', () => {
  test.each([...EVENT_TYPES])('of the type %s is visible only with its scope', (type) => {
    const scope = readingOf(type);
    expect(lackingScope(type, [scope])).toBeUndefined();
    const others = SCOPES.filter((other) => other !== scope);
    expect(lackingScope(type, others)).toBe(scope);
  });

  test.each([...SCOPES])('is readable with only the scope %s if that scope covers it', (scope) => {
    expect(readableEvents([scope])).toEqual(EVENT_TYPES.filter((type) => readingOf(type) === scope));
  });

  test('is hidden from an ended key or one without the scope, with a reason for the owner', () => {
    expect(hiddenReason('pet.created', undefined)).toContain('has been revoked or has expired');
    expect(hiddenReason('pet.created', ['orders:read'])).toContain('lacks the `pets:read` scope, which pet.created');
    expect(hiddenReason('pet.created', ['pets:read'])).toBeUndefined();
  });

  test('that tests a webhook is sent with any scopes, unless the key was revoked or has expired', () => {
    expect(hiddenReason('webhook.test', [])).toBeUndefined();
    expect(hiddenReason('webhook.test', undefined)).toContain('has been revoked or has expired');
    expect(hiddenReason('webhook.created', [])).toContain('keys:write');
  });
});
