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

const startTicking = (onTick: (count: number) => void) => {
  let [given, count, lastTick] = [0, 0, performance.now()];
  const ticking = setInterval(() => {
    const now = performance.now();
    given += now - lastTick > LATE_MS ? LATE_TICK : 1;
    lastTick = now;
    count += 1;
    onTick(count);
  }, TICK_MS);
  /** `given`: how long Redis has been given, in ticks. */
  return { given: () => given, stop: () => clearInterval(ticking) };
};

/**
 * Knows whether Redis is worth asking. One that is slow is waited for. One that fails, or leaves anything unanswered for
 * too long, is away: whoever waits is told so at once, and nobody waits again until a probe is answered.
 */
export const createAvailability = <Tag>({ timeoutMs, probe, onAway, onBack }: Deps<Tag>) => {
  /** In the order in which they were asked. */
  const underWay = new Set<Call<Tag>>();
  let failed: Tag | undefined;
  let isAway = false;

  const isOverdue = (askedAt: number): boolean => ticks.given() - askedAt >= timeoutMs / TICK_MS;

  const giveUpAll = (): void => {
    for (const { giveUp } of underWay) giveUp();
    underWay.clear();
  };

  const trip = (tag: Tag | undefined, error: unknown): void => {
    if (isAway) return;
    isAway = true;
    failed = tag ?? failed;
    onAway(error);
    giveUpAll();
  };

  /** What was asked, as soon as it is answered; undefined if Redis is away. */
  const ask = <Reply>(tag: Tag | undefined, send: () => Promise<Reply>): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      if (isAway) return resolve(undefined);
      const call = { tag, askedAt: ticks.given(), giveUp: () => resolve(undefined) };
      underWay.add(call);
      send().then(
        (reply) => {
          underWay.delete(call);
          resolve(reply);
        },
        (error) => {
          // One that was given up has failed before.
          if (underWay.has(call)) trip(tag, error);
        },
      );
    });

  const probeAgain = (): void => {
    if (!isAway) {
      if (underWay.size === 0) void ask(undefined, () => probe(failed));
      return;
    }
    const askedAt = ticks.given();
    probe(failed).then(
      () => {
        // One that is still too slow is not back.
        if (!isAway || isOverdue(askedAt)) return;
        isAway = false;
        onBack();
      },
      () => undefined,
    );
  };

  const ticks = startTicking((count) => {
    const [oldest] = underWay;
    if (oldest && isOverdue(oldest.askedAt)) trip(oldest.tag, new Error(`no answer within ${timeoutMs} ms`));
    if (count % TICKS_PER_PROBE === 0) probeAgain();
  });

  return {
    isAway: () => isAway,
    ask,
    trip,
    /** Whoever waits is told so at once, and nobody waits from here on. */
    stop() {
      ticks.stop();
      isAway = true;
      giveUpAll();
    },
  };
};
