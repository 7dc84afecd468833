/** A deliberate fault in the code. `run-seeds.ts` replaces `before` with `after` when it loads `file`. */
export type Weakening = { name: string; file: string; before: string; after: string };

const RECORDED = `{ isDelivered: true, isGone: false, responseStatus: 204, responseBody: null, durationMs: 0 }`;

export const WEAKENINGS: readonly Weakening[] = [
  {
    name: 'responses do not wait for the sync',
    file: 'src/storage/sqlite/group-commit.ts',
    before: 'await wal.sync();',
    after: 'void wal.sync().catch(() => undefined);',
  },
  {
    name: 'a failed sync is ignored',
    file: 'src/storage/sqlite/sync.ts',
    before: 'await syncFile(file);\n    } catch (error) {\n      health.fail(error);',
    after: 'await syncFile(file);\n    } catch {',
  },
  {
    name: 'readers see writes that are not on disk yet',
    file: 'src/storage/sqlite/group-transaction.ts',
    before: '  snapshot.hold();\n',
    after: '',
  },
  {
    name: 'an event keeps its number after a rollback',
    file: 'src/storage/sqlite/counters.ts',
    before: 'else totals.set(name, sum);',
    after: '',
  },
  {
    name: 'a reader that arrives during numbering does not wait for the next run',
    file: 'src/streaming/coalesce-assignments.ts',
    before: 'return current.next.promise;',
    after: 'return Promise.resolve();',
  },
  {
    name: 'a delivery is sent although another instance has claimed it',
    file: 'src/delivery/due.sql.ts',
    before: '(d.claimed_until IS NULL OR',
    after: '(d.claimed_until = d.claimed_until OR d.claimed_until IS NULL OR',
  },
  {
    name: "an instance takes over before the leader's term has ended",
    file: 'src/cluster/cluster.repository.sql.ts',
    before: 'WHERE leader = $1 OR leader_until <= $2',
    after: 'WHERE TRUE OR leader = $1 OR leader_until <= $2',
  },
  {
    name: 'a delivery is recorded before the receiver responds',
    file: 'src/delivery/attempt-delivery.ts',
    before: 'const result = cutOff.aborted',
    after: `await write(endpoint.storeId, (to) => recordAttempt(to, endpoint, delivery, ${RECORDED}, 0));
    const result = cutOff.aborted`,
  },
  {
    name: 'a failed attempt is retried immediately',
    file: 'src/resources/webhooks/delivery.ts',
    before: 'now + Math.round(Math.max(spread, asked))',
    after: 'now + 1',
  },
];
