/** Time is counted in these. */
const TICK_MS = 50;
/**
 * One that comes later than this counts for less: this process was held up and did not look for answers that may have
 * come, or the machine has too much to do, and Redis with whoever carries its answers has to wait for a processor too.
 */
const LATE_MS = 60;
const LATE_TICK = 0.25;
/** So often Redis is asked on nobody's behalf: while it is away, and while nobody else asks. */
const TICKS_PER_PROBE = 4;

type Deps<Tag> = {
  /** How long Redis may take to answer; after that it is away. */
  timeoutMs: number;
  /** Asks Redis what a request would. Given the tag of what failed last: of a cluster, a part may be away. */
  probe(failed: Tag | undefined): Promise<unknown>;
  onAway(error: unknown): void;
  onBack(): void;
};

type Call<Tag> = { tag: Tag | undefined; askedAt: number; giveUp(): void };

/**
 * Knows whether Redis is worth asking. One that is slow is waited for. One that fails, or leaves anything unanswered for
 * too long, is away: whoever waits is told so at once, and nobody waits again until a probe is answered.
 */
export const createAvailability = <Tag>({ timeoutMs, probe, onAway, onBack }: Deps<Tag>) => {
  /** In the order in which they were asked. What has been given up is not among them; while Redis is away, all are probes. */
  const underWay = new Set<Call<Tag>>();
  let failed: Tag | undefined;
  let isAway = false;
  /** How long Redis has been given, in ticks. */
  let given = 0;

  const giveUpAll = (): void => {
    for (const { giveUp } of underWay) giveUp();
    underWay.clear();
  };

  const trip = (tag: Tag | undefined, error: unknown): void => {
    if (!isAway) {
      isAway = true;
      failed = tag ?? failed;
      onAway(error);
    }
    giveUpAll();
  };

  const call = <Reply>(tag: Tag | undefined, send: () => Promise<Reply>): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      const entry = { tag, askedAt: given, giveUp: () => resolve(undefined) };
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
          if (underWay.has(entry)) trip(tag, error);
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
    if (isOverdue) trip(oldest.tag, new Error(`no answer within ${timeoutMs} ms`));
    ticks += 1;
    if (ticks % TICKS_PER_PROBE === 0 && (isAway || underWay.size === 0)) void call(undefined, () => probe(failed));
  }, TICK_MS);

  return {
    isAway: () => isAway,
    /** What was asked, as soon as it is answered; undefined if Redis is away. */
    ask: <Reply>(tag: Tag, send: () => Promise<Reply>) => (isAway ? Promise.resolve(undefined) : call(tag, send)),
    trip,
    /** Whoever waits is told so at once, and nobody waits from here on. */
    stop() {
      clearInterval(ticking);
      isAway = true;
      giveUpAll();
    },
  };
};
