import type { EventType } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import type { Call } from '../kernel/operation.ts';
import { destinationFault } from './address.ts';
import { isOperators } from './webhook.ts';

/** Where a webhook may lead depends on the deployment: never to its own network, unless its operator says so. */
export const refuseDestination = (url: string, allowPrivate: boolean): void => {
  const fault = destinationFault(url, allowPrivate);
  if (fault) throw new Failure('invalid_request', `url: ${fault}`);
};

export const refuseOperatorsEvents = (events: readonly EventType[], call: Call): void => {
  const forbidden = events.find(isOperators);
  if (forbidden && !call.scopes.includes('keys:write')) {
    throw new Failure('insufficient_scope', `${forbidden} is told to keys with the scope keys:write.`);
  }
};
