import type { Elapsed } from '../kernel/runtime.ts';
import type { Changes, Work } from './poller.ts';

const TERM_MS = 30_000;
const RENEWAL_MS = 10_000;
/** A leader stops leading this long before its term ends, because it can only estimate the database's clock. */
const MARGIN_MS = 1000;

type Deps = { holder: string; clock(): number; elapsed: Elapsed; lead(now: number, until: number): Promise<boolean> };

/** Elects one instance as the leader. Only the leader runs scheduled jobs and sends webhooks. */
export const createLeadership = ({ holder, clock, elapsed, lead }: Deps) => {
  let leader: Changes['leader'] = { holder: null, until: 0 };
  let work: Changes['work'];
  /** This is a monotonic time, because the machine's clock can be set back. */
  let leadsUntil = Number.NEGATIVE_INFINITY;
  const isLeader = (): boolean => leader.holder === holder && elapsed() < leadsUntil;

  const isFollower = (): boolean => leader.holder !== null && leader.holder !== holder && leader.until > clock();
  const hasWork = (kind: Work): boolean => work?.has(kind) ?? true;

  return {
    isLeader,
    hasWork,
    /**
     * Undefined if another instance is the leader, so that the number of searches does not grow with the number of
     * instances.
     */
    async measure(kind: Work, read: () => Promise<number>): Promise<number | undefined> {
      if (isFollower()) return undefined;
      return isLeader() && !hasWork(kind) ? 0 : read();
    },
    /** Returns true if another instance is the leader and has renewed its term, which shows that it is running. */
    note(changes: Pick<Changes, 'leader' | 'work'>): boolean {
      const isAnother = changes.leader.holder !== null && changes.leader.holder !== holder;
      const isRenewed = leader.holder === changes.leader.holder && leader.until < changes.leader.until;
      ({ leader, work } = changes);
      return isAnother && isRenewed;
    },
    async tend(): Promise<void> {
      const [now, askedAt] = [clock(), elapsed()];
      const leftMs = leader.until - now;
      // If the reply to a renewal was lost, the stored term is longer than the term that this instance counts on.
      const isFresh =
        leader.holder === holder ? Math.min(leftMs, leadsUntil + MARGIN_MS - askedAt) > RENEWAL_MS : leftMs > 0;
      if (isFresh && leftMs <= TERM_MS) return;
      const until = now + TERM_MS;
      if (!(await lead(now, until))) return;
      leader = { holder, until };
      leadsUntil = askedAt + TERM_MS - MARGIN_MS;
    },
  };
};
