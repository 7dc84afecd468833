import { unexpected } from './errors.ts';

/** A server-sent event (WHATWG HTML, 9.2). An event without data only updates the position or the retry delay. */
export type Message = { id?: string; event?: string; retryMs?: number; data?: string };

/** An id may contain only these characters, because the client sends it back in a header. */
const SENDABLE = /^[\x20-\x7e]*$/;
/**
 * Maximum length of a message in characters. Events are much shorter, but a server could exhaust memory by sending an
 * endless message.
 */
const MAX_CHARACTERS = 1024 * 1024;

const readMessage = (block: string): Message => {
  const message: Message = {};
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'id' && SENDABLE.test(value)) message.id = value;
    else if (name === 'event') message.event = value;
    else if (name === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value);
  }
  return data.length > 0 ? { ...message, data: data.join('\n') } : message;
};

const END = /\r\n\r\n|\n\n|\r\r/;

/**
 * Detects a silent connection. The timer runs only while the client waits for data, not while the caller handles a
 * message.
 */
type Watch = { startTimer(): void; stopTimer(): void };

export async function* readMessages(body: ReadableStream<Uint8Array>, watch: Watch): AsyncGenerator<Message, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      watch.startTimer();
      const { done, value } = await reader.read();
      watch.stopTimer();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(END);
      text = blocks.pop() ?? '';
      if (text.length > MAX_CHARACTERS) throw unexpected('a message in the stream exceeds 1 MiB', {});
      yield* blocks.map(readMessage);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
