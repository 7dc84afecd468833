const TICK_MS = 25;
/** How often Redis is asked on nobody's behalf: while it is away, and while nobody else asks. */
const PROBE_EVERY_MS = 200;

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
  /** In the order in which they were asked. */
  const underWay = new Set<Call<Tag>>();
  let failed: Tag | undefined;
  let isAway = false;

  // The time as this process has had it. While it was held up, it did not look for answers that had come.
  let passedMs = 0;
  let lastTick = performance.now();
  const sinceTick = () => Math.min(performance.now() - lastTick, 2 * TICK_MS);

  const trip = (tag: Tag | undefined, error: unknown): void => {
    if (isAway) return;
    isAway = true;
    failed = tag ?? failed;
    onAway(error);
    for (const { giveUp } of underWay) giveUp();
    underWay.clear();
  };

  /** What was asked, as soon as it is answered; undefined if Redis is away. */
  const ask = <Reply>(tag: Tag | undefined, send: () => Promise<Reply>): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      if (isAway) return resolve(undefined);
      const call = { tag, askedAt: passedMs + sinceTick(), giveUp: () => resolve(undefined) };
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
    probe(failed).then(
      () => {
        if (!isAway) return;
        isAway = false;
        onBack();
      },
      () => undefined,
    );
  };

  let isOverdue = false;
  let probedAt = 0;
  const ticking = setInterval(() => {
    passedMs += sinceTick();
    lastTick = performance.now();
    const [oldest] = underWay;
    const wasOverdue = isOverdue;
    isOverdue = oldest !== undefined && passedMs - oldest.askedAt >= timeoutMs;
    // Seen twice, so that what came while this process was held up has been read.
    if (oldest && isOverdue && wasOverdue) trip(oldest.tag, new Error(`no answer within ${timeoutMs} ms`));
    if (passedMs - probedAt < PROBE_EVERY_MS) return;
    probedAt = passedMs;
    probeAgain();
  }, TICK_MS);

  return {
    isAway: () => isAway,
    ask,
    trip,
    stop: () => clearInterval(ticking),
  };
};
