import type { Elapsed } from '../kernel/runtime.ts';
import type { Changes, Work } from './changes.ts';

/**
 * Milliseconds that an instance stays the leader without renewing its term. If it dies, another takes over after that.
 */
const TERM_MS = 30_000;
const RENEWAL_MS = 10_000;
/**
 * Milliseconds before the end of its term at which the leader stops, because each instance only estimates the
 * database's clock.
 */
const MARGIN_MS = 1000;

type Deps = {
  holder: string;
  clock(): number;
  elapsed: Elapsed;
  lead(now: number, until: number): Promise<boolean>;
};

/** Elects one instance to do what must be done once: jobs and webhooks. */
export const createLeadership = ({ holder, clock, elapsed, lead }: Deps) => {
  let leader: Changes['leader'] = { holder: null, until: 0 };
  let work: Changes['work'];
  /** Measured with `elapsed`, because nobody can set that clock. */
  let leadsUntil = Number.NEGATIVE_INFINITY;
  const isLeader = (): boolean => leader.holder === holder && elapsed() < leadsUntil;

  return {
    isLeader,
    /** Assumes that there is work until a poll has looked for it. */
    hasWork: (kind: Work): boolean => work?.has(kind) ?? true,
    /** Returns whether another instance is alive. A leader that renews its term must be alive. */
    note(changes: Pick<Changes, 'leader' | 'work'>): boolean {
      const isAnother = changes.leader.holder !== null && changes.leader.holder !== holder;
      const isRenewed = leader.holder === changes.leader.holder && leader.until < changes.leader.until;
      ({ leader, work } = changes);
      return isAnother && isRenewed;
    },
    /** Becomes the leader or renews the term. Writes to the database only if the term has ended or is about to end. */
    async tend(): Promise<void> {
      const [now, askedAt] = [clock(), elapsed()];
      const isOurs = leader.holder === holder;
      if (leader.until - now > (isOurs ? RENEWAL_MS : 0) && leader.until - now <= TERM_MS) return;
      const until = now + TERM_MS;
      if (!(await lead(now, until))) return;
      leader = { holder, until };
      leadsUntil = askedAt + TERM_MS - MARGIN_MS;
    },
  };
};
