import { toEventBody } from '../resources/events/event.body.ts';
import { OPERATORS_TYPE, type StoredEvent } from '../resources/events/event.ts';

const encoder = new TextEncoder();

const encode = (event: StoredEvent): string =>
  `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventBody(event))}\n\n`;

const toChunk = (texts: readonly string[]): Uint8Array | undefined =>
  texts.length === 0 ? undefined : encoder.encode(texts.join(''));

export const encodeBatch = (events: readonly StoredEvent[], { after, most }: { after: bigint; most: number }) => {
  const texts = events.map(encode);
  const operators = toChunk(texts);
  const shown = texts.filter((_, index) => !OPERATORS_TYPE.test(events[index]?.type ?? ''));
  return {
    /** The chunk for `operators` also includes events about keys and webhooks. */
    chunks: { operators, others: shown.length === texts.length ? operators : toChunk(shown) },
    position: events.at(-1)?.sequence ?? after,
    mayBeMore: events.length === most,
  };
};

export type EncodedBatch = ReturnType<typeof encodeBatch>;
