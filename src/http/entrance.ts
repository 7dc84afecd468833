import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import type { Exchange } from './context.ts';
import { mayBeLarge } from './input/read-body.ts';
import type { Admission } from './overload/admission.ts';
import type { Sender } from './overload/client-identity.ts';
import { hasTwoHosts, OVERLOADED, TWO_HOSTS } from './refusals.ts';

export type EntranceDeps = {
  admission: Admission;
  senderOf(exchange: Exchange): Sender;
};

/** What follows the entrance for one kind of target: an operation or a page. */
type Inside<Target, Result> = {
  /** Counts a request against the address of its sender; throws when that window is used up. */
  countAddress(exchange: Exchange): MaybePromise<void>;
  /** Whether overload delays this request but never refuses it. */
  isDelayed(exchange: Exchange, target: Target | undefined, sender: Sender): boolean;
  serve(exchange: Exchange, target: Target | undefined): MaybePromise<Result>;
};

/** The first checks of every request, below `/v1` and outside it: admission, then exactly one Host. */
export const createEntrance = <Target, Result>(
  { admission, senderOf }: EntranceDeps,
  { countAddress, isDelayed, serve }: Inside<Target, Result>,
) => {
  const enter = (exchange: Exchange, target: Target | undefined): MaybePromise<Result> => {
    if (!hasTwoHosts(exchange.host)) return serve(exchange, target);
    return chain(countAddress(exchange), () => {
      throw TWO_HOSTS;
    });
  };

  return (exchange: Exchange, target: Target | undefined): MaybePromise<Result> => {
    if (admission.isOpen(exchange.startedAt)) return enter(exchange, target);
    const sender = senderOf(exchange);
    if (isDelayed(exchange, target, sender)) return admission.waitForPage(sender).then(() => enter(exchange, target));
    if (!sender.isKnown && mayBeLarge(exchange.request)) throw OVERLOADED;
    return admission.wait(sender, () => enter(exchange, target));
  };
};
