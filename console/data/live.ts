import { useEffect, useEffectEvent } from 'react';
import type { Event, EventType, Petstore, ResponseNote, RetryNote } from '../../client/src/index.ts';
import { createValue } from './value.ts';

export type LiveEvent = Event;

export const liveState = createValue<'off' | 'opening' | 'live'>('off');

const STREAM = '/events/stream';

export const noteStreamOpen = ({ path, status }: ResponseNote): void => {
  if (path === STREAM && status === 200) liveState.set('live');
};
export const noteStreamLost = ({ path }: RetryNote): void => {
  if (path === STREAM) liveState.set('off');
};

const listeners = new Set<(event: LiveEvent) => void>();

export const followEvents = (petstore: Petstore): (() => void) => {
  const ended = new AbortController();
  const follow = async () => {
    liveState.set('opening');
    for await (const event of petstore.events.stream({ signal: ended.signal })) {
      for (const listener of listeners) listener(event);
    }
  };
  follow()
    .catch(() => undefined)
    .finally(() => liveState.set('off'));
  return () => ended.abort();
};

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
