/** So many failures in a row, and Redis is left alone. */
const FAILURES = 3;
const PROBE_EVERY_MS = 200;

type Deps = {
  /** Asks Redis once more, on nobody's time, and says whether it answered. */
  probe(): Promise<boolean>;
  onAway(error: unknown): void;
  onBack(): void;
};

/** Knows whether Redis is worth asking. */
export const createBreaker = ({ probe, onAway, onBack }: Deps) => {
  let failures = 0;
  let probing: ReturnType<typeof setInterval> | undefined;
  let isProbeUnderWay = false;
  let isStopped = false;

  const probeOnce = async (): Promise<void> => {
    if (isProbeUnderWay) return;
    isProbeUnderWay = true;
    const answered = await probe();
    isProbeUnderWay = false;
    if (!answered || !probing) return;
    clearInterval(probing);
    probing = undefined;
    failures = 0;
    onBack();
  };

  /** Redis is left alone from now on, until it answers again. */
  const trip = (error: unknown): void => {
    if (probing || isStopped) return;
    probing = setInterval(probeOnce, PROBE_EVERY_MS);
    onAway(error);
  };

  return {
    isAway: () => probing !== undefined,
    trip,
    succeed() {
      failures = 0;
    },
    fail(error: unknown) {
      failures += 1;
      if (failures >= FAILURES) trip(error);
    },
    stop() {
      isStopped = true;
      clearInterval(probing);
    },
  };
};
