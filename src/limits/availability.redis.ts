/**
 * Time is counted in these. One that comes late counts once: while this process was held up, it did not look for answers
 * that may have come.
 */
const TICK_MS = 50;
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

type Call<Tag> = { tag: Tag | undefined; askedIn: number; giveUp(): void };

/**
 * Knows whether Redis is worth asking. One that is slow is waited for. One that fails, or leaves anything unanswered for
 * too long, is away: whoever waits is told so at once, and nobody waits again until a probe is answered.
 */
export const createAvailability = <Tag>({ timeoutMs, probe, onAway, onBack }: Deps<Tag>) => {
  /** In the order in which they were asked. */
  const underWay = new Set<Call<Tag>>();
  let failed: Tag | undefined;
  let isAway = false;

  let tick = 0;

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
      const call = { tag, askedIn: tick, giveUp: () => resolve(undefined) };
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

  const patience = Math.ceil(timeoutMs / TICK_MS);
  const ticking = setInterval(() => {
    tick += 1;
    const [oldest] = underWay;
    if (oldest && tick - oldest.askedIn > patience) trip(oldest.tag, new Error(`no answer within ${timeoutMs} ms`));
    if (tick % TICKS_PER_PROBE === 0) probeAgain();
  }, TICK_MS);

  return {
    isAway: () => isAway,
    ask,
    trip,
    stop: () => clearInterval(ticking),
  };
};
