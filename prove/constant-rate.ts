/**
 * This program runs as a separate process. If a rate is given, the program sends requests at that rate, even if
 * responses are slow. Otherwise, each connection sends its next request when the previous response has arrived.
 */

export type Rate = {
  port: number;
  requests: readonly string[];
  connections: number;
  warmUpMs: number;
  ms: number;
  perSecond?: number;
};

export type Rated = {
  sentPerSecond: number;
  goodPerSecond: number;
  statuses: Record<string, number>;
  mute: number;
  /**
   * Each latency is measured from the time at which the request was due, so it includes the wait for earlier slow
   * responses.
   */
  goodP99Ms: number;
};

const POLL_MS = 1;
const OPENED_TOGETHER = 4;

const LENGTH = /\r\ncontent-length: *(\d+)/i;
const RETRY_AFTER = /\r\nretry-after: *[1-9]/i;

type Slot = { socket: Bun.Socket; dueAt: number; received: string };

const run = async ({ port, requests, connections, warmUpMs, ms, perSecond }: Rate): Promise<Rated> => {
  const idle: Slot[] = [];
  const statuses: Record<string, number> = {};
  const goodMs: number[] = [];
  const counts = { turns: 0, sent: 0, mute: 0 };
  let [startsAt, endsAt] = [Number.POSITIVE_INFINITY, 0];

  const isCounted = (now: number): boolean => startsAt <= now && now < endsAt;

  const note = ({ dueAt, received }: Slot, status: string): void => {
    const now = performance.now();
    if (!isCounted(now)) return;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === '503' && !RETRY_AFTER.test(received)) counts.mute += 1;
    if (status.startsWith('2')) goodMs.push(now - dueAt);
  };

  const send = (slot: Slot, dueAt: number): void => {
    slot.dueAt = dueAt;
    slot.received = '';
    counts.turns += 1;
    if (isCounted(performance.now())) counts.sent += 1;
    slot.socket.write(requests[counts.turns % requests.length] as string);
  };

  let firstAt = 0;
  const sendDue = (): void => {
    for (let now = performance.now(); now < endsAt; ) {
      const dueAt = perSecond === undefined ? now : firstAt + (1000 * counts.turns) / perSecond;
      const slot = dueAt <= now ? idle.shift() : undefined;
      if (!slot) return;
      send(slot, dueAt);
    }
  };

  const take = (slot: Slot, bytes: Buffer): void => {
    slot.received += bytes.toString('latin1');
    const end = slot.received.indexOf('\r\n\r\n');
    if (end < 0 || slot.received.length < end + 4 + Number(LENGTH.exec(slot.received)?.[1] ?? 0)) return;
    note(slot, slot.received.slice(9, 12));
    idle.push(slot);
    sendDue();
  };

  const open = async (): Promise<void> => {
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: { data: (_, bytes) => take(slot, bytes), close: () => note(slot, '0') },
    });
    const slot: Slot = { socket, dueAt: 0, received: '' };
    idle.push(slot);
  };
  while (idle.length < connections) {
    await Promise.all(Array.from({ length: OPENED_TOGETHER }, open));
    await Bun.sleep(POLL_MS);
  }

  firstAt = performance.now();
  startsAt = firstAt + warmUpMs;
  endsAt = startsAt + ms;
  for (; performance.now() < endsAt; await Bun.sleep(POLL_MS)) sendDue();
  goodMs.sort((one, other) => one - other);
  return {
    sentPerSecond: Math.round((1000 * counts.sent) / ms),
    goodPerSecond: Math.round((1000 * goodMs.length) / ms),
    statuses,
    mute: counts.mute,
    goodP99Ms: Math.round(goodMs[Math.floor(goodMs.length * 0.99)] ?? 0),
  };
};

if (import.meta.main) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? ''))));
  process.exit(0);
}
