import { useEffect, useEffectEvent } from 'react';
import type { Event, EventType, Int64, Petstore, ResponseNote, RetryNote } from '../../client/src/index.ts';
import { createValue } from './value.ts';

export type LiveEvent = Event<Int64>;

/**
 * Whether events arrive as they happen. `off` where the key may not read them, the stream was refused or is lost;
 * `opening` until it is known.
 */
export const liveState = createValue<'off' | 'opening' | 'live'>('off');

const STREAM = '/events/stream';

export const noteStreamOpen = ({ path, status }: ResponseNote): void => {
  if (path === STREAM && status === 200) liveState.set('live');
};
export const noteStreamLost = ({ path }: RetryNote): void => {
  if (path === STREAM) liveState.set('off');
};

const listeners = new Set<(event: LiveEvent) => void>();

/** Follows the events of the store, over one stream for the whole tab. Returns what ends it. */
export const followEvents = (petstore: Petstore<true>): (() => void) => {
  const ended = new AbortController();
  const follow = async () => {
    liveState.set('opening');
    for await (const event of petstore.events.stream({ signal: ended.signal })) {
      for (const listener of listeners) listener(event);
    }
  };
  // Without a stream, lists offer a button to refresh them.
  follow()
    .catch(() => undefined)
    .finally(() => liveState.set('off'));
  return () => ended.abort();
};

/** Calls back for every event of these types while the component is shown. */
export const useEvents = (types: readonly EventType[] | undefined, handle: (event: LiveEvent) => void): void => {
  const hear = useEffectEvent((event: LiveEvent) => {
    if (!types || types.includes(event.type)) handle(event);
  });
  useEffect(() => {
    const listener = (event: LiveEvent) => hear(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
};
