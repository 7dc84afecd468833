import { connect } from 'node:net';
import type { TestResponse } from './service.ts';

const HANG_MS = 40 * 60_000;

type Part = string | Uint8Array;

export const bytesOf = (...parts: Part[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Encodes a body in chunks (RFC 9112 section 7.1). */
export const chunked = (body: Part, chunkBytes = 8_192): Buffer => {
  const bytes = Buffer.from(body as string);
  const parts: Part[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    parts.push(`${chunk.length.toString(16)}\r\n`, chunk, '\r\n');
  }
  return bytesOf(...parts, '0\r\n\r\n');
};

const readAnswer = (received: Buffer, isHead: boolean): { answer: TestResponse; length: number } | undefined => {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const headers = new Headers(pairs as [string, string][]);
  const status = Number(statusLine.split(' ')[1]);
  const bodiless = isHead || status === 204 || status === 304;
  const length = end + 4 + (bodiless ? 0 : Number(headers.get('content-length') ?? 0));
  if (received.length < length) return undefined;
  const text = received.subarray(end + 4, length).toString();
  const isJson = /^application\/(problem\+)?json/.test(headers.get('content-type') ?? '') && text !== '';
  return { answer: { status, headers, text, body: isJson ? JSON.parse(text) : undefined }, length };
};

export type Connection = ReturnType<typeof openConnection>;

export const openConnection = (port: number) => {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  let closed = false;
  let changed = Promise.withResolvers<void>();
  const note = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    note();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    note();
  });

  const nextAnswer = async (isHead: boolean): Promise<TestResponse> => {
    for (;;) {
      const read = readAnswer(received, isHead);
      if (read) {
        received = received.subarray(read.length);
        return read.answer;
      }
      if (closed) throw new Error(`closed without a response: ${JSON.stringify(received.toString())}`);
      await changed.promise;
    }
  };

  return {
    async ask(request: Part): Promise<TestResponse> {
      const text = Buffer.from(request as string).subarray(0, 5);
      socket.write(request);
      const timer = setTimeout(() => socket.destroy(new Error('no response in time')), HANG_MS);
      try {
        return await nextAnswer(text.toString() === 'HEAD ');
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => socket.destroy(),
  };
};

export const askOnce = async (port: number, request: Part): Promise<TestResponse> => {
  const connection = openConnection(port);
  try {
    return await connection.ask(request);
  } finally {
    connection.close();
  }
};
