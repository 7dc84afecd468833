import { isOperators } from '../events/event.ts';
import type { EventType } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import type { Call } from '../kernel/operation.ts';
import { destinationFault } from './address.ts';
import { MOST_WEBHOOKS, type Webhook } from './webhook.ts';

/** Where a webhook may lead depends on the deployment: never to its own network, unless its operator says so. */
export const refuseDestination = (url: string, allowPrivate: boolean): void => {
  const fault = destinationFault(url, allowPrivate);
  if (fault) throw new Failure('invalid_request', `url: ${fault}`);
};

export const refuseTooMany = (count: number): void => {
  if (count < MOST_WEBHOOKS) return;
  throw new Failure('invalid_request', `The store has ${count} webhooks, and no more are possible; remove one first.`);
};

/** Who may not hear of keys and webhooks may not have it told either. */
export const refuseOperatorsEvents = (events: readonly EventType[], call: Call): void => {
  const forbidden = events.find(isOperators);
  if (forbidden && !call.scopes.includes('keys:write')) {
    throw new Failure('insufficient_scope', `${forbidden} is told to keys with the scope keys:write.`);
  }
};

/** What an operator has told to hear of keys and webhooks is not silenced or led elsewhere by those it may tell of. */
export const refuseOperatorsWebhook = ({ id, events }: Webhook, call: Call): void => {
  const told = events.find(isOperators);
  if (told && !call.scopes.includes('keys:write')) {
    throw new Failure(
      'insufficient_scope',
      `The webhook ${id} hears of ${told}: to change it takes the scope keys:write.`,
    );
  }
};

export const refuseSwitchedOff = ({ id, enabled }: Webhook): void => {
  if (enabled) return;
  throw new Failure('invalid_status_transition', `The webhook ${id} is switched off; enable it first.`);
};
