const TICK_MS = 50;
// If a tick comes more than this many milliseconds after the previous tick, this process was blocked. In that case, a
// missing reply does not prove that Redis is down, so the tick counts as only a quarter of a tick (`LATE_TICK`).
const LATE_MS = 60;
const LATE_TICK = 0.25;
const TICKS_PER_PROBE = 4;

type Deps = {
  timeoutMs: number;
  /** Sometimes only part of a cluster is down, so the probe uses the API key or address for which a call most recently failed. */
  probe(failed: string | undefined): Promise<unknown>;
  onAway(error: unknown): void;
  onBack(): void;
};

/** A circuit breaker for calls to Redis. After an error or a timeout, calls get undefined until a probe succeeds. */
export const createAvailability = ({ timeoutMs, probe, onAway, onBack }: Deps) => {
  const underWay = new Set<{ id: string | undefined; askedAt: number; giveUp(): void }>();
  let failed: string | undefined;
  let isAway = false;
  let given = 0;

  const giveUpAll = (): void => {
    for (const { giveUp } of underWay) giveUp();
    underWay.clear();
  };

  const trip = (id: string | undefined, error: unknown): void => {
    if (!isAway) {
      isAway = true;
      failed = id ?? failed;
      onAway(error);
    }
    giveUpAll();
  };

  const call = <Reply>(id: string | undefined, send: () => Promise<Reply>): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      const entry = { id, askedAt: given, giveUp: () => resolve(undefined) };
      underWay.add(entry);
      send().then(
        (reply) => {
          resolve(reply);
          if (!underWay.delete(entry) || !isAway) return;
          isAway = false;
          giveUpAll();
          onBack();
        },
        (error) => {
          if (underWay.has(entry)) trip(id, error);
        },
      );
    });

  let [ticks, lastTick] = [0, performance.now()];
  const ticking = setInterval(() => {
    const now = performance.now();
    given += now - lastTick > LATE_MS ? LATE_TICK : 1;
    lastTick = now;
    const [oldest] = underWay;
    const isOverdue = oldest && given - oldest.askedAt >= timeoutMs / TICK_MS;
    if (isOverdue) trip(oldest.id, new Error(`timed out after ${timeoutMs} ms`));
    ticks += 1;
    if (ticks % TICKS_PER_PROBE === 0 && (isAway || underWay.size === 0)) void call(undefined, () => probe(failed));
  }, TICK_MS);

  return {
    isAway: () => isAway,
    ask: <Reply>(id: string, send: () => Promise<Reply>) => (isAway ? Promise.resolve(undefined) : call(id, send)),
    trip,
    stop() {
      clearInterval(ticking);
      isAway = true;
      giveUpAll();
    },
  };
};
