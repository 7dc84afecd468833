import { toEventBody } from '../resources/events/event.body.ts';
import { isOperators, type StoredEvent } from '../resources/events/event.ts';

/** What one read gives to streams, encoded once for all of them. Undefined where there is nothing to show. */
export type EncodedBatch = {
  /** For those who may see changes of keys and webhooks, and for those who may not. */
  chunks: { operators: Uint8Array | undefined; others: Uint8Array | undefined };
  /** How far was read, hidden events included: they are not read again. */
  position: bigint;
  mayBeMore: boolean;
};

const encoder = new TextEncoder();

const encode = (event: StoredEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventBody(event))}\n\n`;

const toChunk = (texts: readonly string[]): Uint8Array | undefined =>
  texts.length === 0 ? undefined : encoder.encode(texts.join(''));

/** The portion that so many events behind a position make, if at most `most` were asked for. */
export const encodeBatch = (
  events: readonly StoredEvent[],
  { after, most }: { after: bigint; most: number },
): EncodedBatch => {
  const texts = events.map(encode);
  const operators = toChunk(texts);
  const shown = texts.filter((_, index) => !isOperators(events[index]?.type ?? ''));
  return {
    chunks: { operators, others: shown.length === texts.length ? operators : toChunk(shown) },
    position: events.at(-1)?.sequence ?? after,
    mayBeMore: events.length === most,
  };
};
