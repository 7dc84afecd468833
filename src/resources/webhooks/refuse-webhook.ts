import { urlPolicyFault } from '../../delivery/address.ts';
import type { Scope } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import { Failure, faultyField } from '../../kernel/failure.ts';
import { isLive, type Key } from '../keys/key.ts';
import { type Plan, WEBHOOKS } from '../keys/plan.ts';
import { lackingScope } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

export const refuseForbiddenUrl = (url: string, allowPrivate: boolean): void => {
  const fault = urlPolicyFault(url, allowPrivate);
  if (fault) throw faultyField('url', fault);
};

export const refuseTooMany = (count: number, plan: Plan): void => {
  if (count < WEBHOOKS[plan]) return;
  throw new Failure(
    'store_full',
    `The store has ${count} webhooks; the limit on the ${plan} plan is ${WEBHOOKS[plan]}. Delete one, or ask the operator for a larger plan.`,
  );
};

export const refuseUnreadable = (events: readonly EventType[], scopes: readonly Scope[], whose: string): void => {
  for (const type of events) {
    const lacking = lackingScope(type, scopes);
    if (!lacking) continue;
    throw new Failure(
      'insufficient_scope',
      `${whose} lacks the \`${lacking}\` scope, which ${type} events require. Leave out these events, or use a key with that scope.`,
    );
  }
};

export const refuseUnfitKey = (key: Key | undefined, storeId: bigint, now: number): Key => {
  if (!key || key.storeId !== storeId) throw faultyField('keyId', 'must be the id of a key in this store');
  if (!isLive(key, now)) throw faultyField('keyId', 'must be the id of a key that is not revoked or expired');
  return key;
};

export const refuseDisabled = ({ id, enabled }: Webhook): void => {
  if (enabled) return;
  throw new Failure(
    'invalid_status_transition',
    `Webhook ${id} is disabled; enable it first (PATCH /webhooks/${id} {"enabled": true}).`,
  );
};
