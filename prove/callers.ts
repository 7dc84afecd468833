/** This program runs as a separate process. Its argument is a `Crowd` as JSON, and it prints a `Heard` as JSON. */

export type Callers = {
  connections: number;
  requests: readonly string[];
  /**
   * Milliseconds between consecutive requests on one connection. 0 means that each request is sent as soon as the
   * previous response has arrived.
   */
  everyMs: number;
};

export type Crowd = { port: number; warmUpMs: number; ms: number; callers: Callers };

export type Heard = {
  statuses: Record<string, number>;
  goodPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
};

type Tally = { statuses: Record<string, number>; times: number[] };

const LAST_ANSWERS_MS = 300;

const HEAD_END = Buffer.from('\r\n\r\n');

const answerLength = (received: Buffer): number | undefined => {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return received.length < length ? undefined : length;
};

const percentile = (times: readonly number[], share: number): number =>
  Math.round(10 * (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)) / 10;

const call = (callers: Callers, at: number, { port, startsAt, endsAt }: Line, tally: Tally): void => {
  const { requests, everyMs } = callers;
  let turn = at;
  let sentAt = 0;
  let received: Buffer | undefined;
  let isOver = false;

  const note = (status: string): void => {
    if (sentAt < startsAt || sentAt >= endsAt) return;
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (status.startsWith('2')) tally.times.push(performance.now() - sentAt);
  };
  const send = (socket: Bun.Socket): void => {
    sentAt = performance.now();
    if (sentAt >= endsAt) {
      isOver = true;
      socket.end();
      return;
    }
    turn += 1;
    socket.write(requests[turn % requests.length] as string);
  };
  const sendInTime = (socket: Bun.Socket): void => {
    const waitMs = sentAt + everyMs - performance.now();
    if (waitMs < 1) send(socket);
    else setTimeout(send, waitMs, socket);
  };
  const open = (): void => {
    if (performance.now() >= endsAt) return;
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: send,
        data(socket, bytes) {
          received = received ? Buffer.concat([received, bytes]) : bytes;
          const length = answerLength(received);
          if (length === undefined) {
            received = Buffer.from(received);
            return;
          }
          note(received.toString('latin1', 9, 12));
          received = undefined;
          sendInTime(socket);
        },
        close() {
          received = undefined;
          if (isOver) return;
          setTimeout(open, 10);
        },
        error: () => undefined,
      },
    }).catch(() => {
      note('0');
      setTimeout(open, 100);
    });
  };
  // If `everyMs` is 0, opens four connections per millisecond. A faster rate could overflow the server's accept queue.
  setTimeout(open, everyMs > 0 ? (everyMs * at) / callers.connections : at / 4);
};

type Line = { port: number; startsAt: number; endsAt: number };

const run = async ({ port, warmUpMs, ms, callers }: Crowd): Promise<Heard> => {
  const startsAt = performance.now() + warmUpMs;
  const line: Line = { port, startsAt, endsAt: startsAt + ms };
  const { statuses, times }: Tally = { statuses: {}, times: [] };
  for (let at = 0; at < callers.connections; at += 1) call(callers, at, line, { statuses, times });
  while (performance.now() < line.endsAt + LAST_ANSWERS_MS) await Bun.sleep(50);
  times.sort((one, other) => one - other);
  return {
    statuses,
    goodPerSecond: Math.round((1000 * times.length) / ms),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    maxMs: percentile(times, 1),
  };
};

if (import.meta.main) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? ''))));
  process.exit(0);
}
