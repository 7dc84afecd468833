import { connect, type Socket } from 'node:net';

/** Sends raw requests instead of using `fetch`, because `fetch` queues requests and retries failed ones. */

export type Message = {
  head: string;
  body: string;
  bytes: Buffer;
};

export const readMessage = (received: Buffer): Message | undefined => {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.subarray(0, end).toString('latin1');
  const length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < length) return undefined;
  return { head, body: received.subarray(end + 4, length).toString(), bytes: received.subarray(0, length) };
};

export const endsConnection = ({ head }: Message): boolean => /\r\nconnection: *close/i.test(head);

export const openLine = async (port: number) => {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  });
  let received = Buffer.alloc(0);
  let isOpen = true;
  let waiting: { resolve(message: Message): void; reject(error: Error): void } | undefined;
  socket.on('data', (chunk) => {
    received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
    const message = readMessage(received);
    if (!message) return;
    received = received.subarray(message.bytes.length);
    if (endsConnection(message)) isOpen = false;
    waiting?.resolve(message);
    waiting = undefined;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
    waiting?.reject(new Error('closed without an answer'));
    waiting = undefined;
  });
  return {
    isOpen: () => isOpen,
    ask: (request: string | Buffer) =>
      new Promise<Message>((resolve, reject) => {
        if (!isOpen) return reject(new Error('the connection is closed'));
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
};

export type Line = Awaited<ReturnType<typeof openLine>>;

export const portOf = ({ origin }: { origin: string }): number => Number(new URL(origin).port);

type Asked = { key: string; body?: unknown };

export const requestText = (method: string, path: string, { key, body }: Asked): string => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const about = text === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${about}\r\n${text}`;
};

export const statusOf = ({ head }: Message): number => Number(head.split(' ', 2)[1]);

const wordOf = (message: Message): string =>
  statusOf(message) < 400 ? String(statusOf(message)) : JSON.parse(message.body).code;

/**
 * Maximum number of connections that are opened at the same time. More connections could overflow the accept queue, and
 * the kernel would wait a second before retrying.
 */
const OPENED_TOGETHER = 200;

export const askTogether = async (ports: readonly number[], requests: readonly string[]): Promise<Message[]> => {
  const lines: Line[] = [];
  const open = (at: number): Promise<Line> => openLine(ports[at % ports.length] as number);
  const ask = async (request: string, at: number): Promise<Message> => {
    const answer = await (lines[at] as Line).ask(request).catch(() => undefined);
    if (answer) return answer;
    lines[at] = await open(at);
    return ask(request, at);
  };
  try {
    while (lines.length < requests.length) {
      const count = Math.min(OPENED_TOGETHER, requests.length - lines.length);
      lines.push(...(await Promise.all(Array.from({ length: count }, (_, at) => open(lines.length + at)))));
    }
    return await Promise.all(requests.map(ask));
  } finally {
    for (const line of lines) line.close();
  }
};

export const countWords = (answers: readonly Message[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[wordOf(answer)] = (counts[wordOf(answer)] ?? 0) + 1;
  return counts;
};

type Answered = { port: number; sentAt: number; ms: number; status: number; message: Message | undefined };

type Load = {
  ports: readonly number[];
  callers: number;
  pauseMs: number;
  next(turn: number): string;
};

export const startLoad = ({ ports, callers, pauseMs, next }: Load) => {
  const answers: Answered[] = [];
  let turn = 0;
  let isOver = false;

  const call = async (port: number): Promise<void> => {
    let line: Line | undefined;
    while (!isOver) {
      const request = next(turn++);
      const sentAt = performance.now();
      const note = (message?: Message) =>
        answers.push({
          port,
          sentAt,
          ms: performance.now() - sentAt,
          status: message ? statusOf(message) : 0,
          message,
        });
      try {
        if (!line?.isOpen()) line = await openLine(port);
        note(await line.ask(request));
      } catch {
        note();
      }
      await Bun.sleep(pauseMs);
    }
    line?.close();
  };
  const calling = Array.from({ length: callers }, (_, at) => call(ports[at % ports.length] as number));

  return {
    answers,
    between: (from: number, to: number) => answers.filter(({ sentAt }) => from <= sentAt && sentAt < to),
    async stop() {
      isOver = true;
      await Promise.all(calling);
      return answers;
    },
  };
};

export const timesOf = (answers: readonly Answered[]) => {
  const times = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { requests: times.length, p50: at(0.5), p99: at(0.99), most: at(1) };
};
