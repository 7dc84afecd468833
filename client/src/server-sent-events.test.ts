import { describe, expect, test } from 'bun:test';
import { type Message, readMessages } from './server-sent-events.ts';

const readWatched = async (text: string, size: number) => {
  const steps: string[] = [];
  const watch = { startTimer: () => steps.push('wait'), stopTimer: () => steps.push('piece') };
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const messages: Message[] = [];
  for await (const message of readMessages(body, watch)) {
    steps.push('message');
    messages.push(message);
  }
  return { messages, steps };
};

const read = async (text: string, size: number) => (await readWatched(text, size)).messages;

describe('server-sent events', () => {
  const text =
    ': hello\n\nid: 7\nevent: pet.created\ndata: {"name":"Łatek 🐕"}\n\nretry: 2500\n\ndata: a\ndata:b\ndata\n\ndata: cut o';
  const messages = [
    {},
    { id: '7', event: 'pet.created', data: '{"name":"Łatek 🐕"}' },
    { retryMs: 2500 },
    { data: 'a\nb\n' },
  ];
  test.each([1, 2, 3, 7, 1000])('are read in chunks of any size: %i bytes', async (size) => {
    expect(await read(text, size)).toEqual(messages);
  });

  test.each(['\r\n', '\r'])('are read with other line endings: %j', async (end) => {
    for (const size of [1, 2, 3, 1000]) {
      expect((await read(text.replaceAll('\n', end), size)).slice(0, 3)).toEqual(messages.slice(0, 3));
    }
  });

  test('are timed only during the wait for the next chunk, not while the reader is busy', async () => {
    const { steps } = await readWatched('data: a\n\ndata: b\n\n', 9);
    expect(steps).toEqual(['wait', 'piece', 'message', 'wait', 'piece', 'message', 'wait', 'piece']);
  });

  test('ignore an id with a zero byte, and a delay that is not a number', async () => {
    expect(await read('id: 1\0\nretry: soon\ndata: x\n\n', 5)).toEqual([{ data: 'x' }]);
  });
});
