/** A deliberate weakening: one text of one file in the place of another, and the sentence that has to fail with it. */
export type Weakening = {
  name: string;
  file: string;
  before: string;
  after: string;
  /** The proof or test that catches it, and the end of its name. */
  caughtBy: { file: string; named: string };
};

export const WEAKENINGS: readonly Weakening[] = [
  {
    name: 'no sync',
    file: 'src/database/sqlite.sync.ts',
    before: '(underway === sync && !health.isBroken() ? syncFile(file) : undefined)',
    after: '(underway === sync && !health.isBroken() ? void syncFile(file) : undefined)',
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses nothing that was acknowledged, and leaves the file whole',
    },
  },
  {
    name: 'no sync of the file at a checkpoint',
    file: 'src/database/sqlite.checkpoint.worker.ts',
    before: 'else connection ??= connectSqlite(data.path);',
    after: "else if (!connection) (connection = connectSqlite(data.path)).script('PRAGMA synchronous = OFF');",
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses nothing that was acknowledged, and leaves the file whole',
    },
  },
  {
    name: 'answer before commit',
    file: 'src/database/group-transaction.ts',
    before: 'if (outcome) outcomes.push(outcome);',
    after: 'if (outcome) transactions[outcomes.push(outcome) - 1]?.settle(outcome);',
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses nothing that was acknowledged, and leaves the file whole',
    },
  },
  {
    name: 'no store in one query',
    file: 'src/orders/orders.repository.sql.ts',
    before: 'FROM orders WHERE store_id = $1 AND id = $2',
    after: 'FROM orders WHERE $1 = $1 AND id = $2',
    caughtBy: {
      file: 'test/isolation.test.ts',
      named:
        'getOrder with a foreign key answers 404 for a row of another store, exactly as for one that does not exist',
    },
  },
  {
    name: 'ban not saved',
    file: 'src/compose/limiter.ts',
    before: 'await database.write(SYSTEM_CALL, (repositories) => banKey(repositories, subject.id, ban, toldUntil));',
    after: 'void [database, banKey, ban, toldUntil];',
    caughtBy: {
      file: 'test/bans.test.ts',
      named: 'is a row of the database and an event with the next sequence when it is told',
    },
  },
  {
    name: 'signature without time',
    file: 'src/webhooks/signature.ts',
    before: 'hmacSha256(key, content)',
    after: "hmacSha256(key, content.replace(/[.][0-9]+[.]/, '.'))",
    caughtBy: {
      file: 'src/webhooks/signature.test.ts',
      named: 'satisfies the official library, which gives the body back',
    },
  },
  {
    name: 'lease ignored',
    file: 'src/webhooks/leases.memory.ts',
    before: 'const isOurs = await take(now, until);',
    after: 'const isOurs = (await take(now, until)) || true;',
    caughtBy: {
      file: 'src/webhooks/leases.test.ts',
      named: 'leave a host to one of them, whatever webhooks lead to it in whatever spelling',
    },
  },
  {
    name: 'SSRF judge loosened',
    file: 'src/webhooks/address.ts',
    before: "['127.0.0.0', 8],",
    after: '',
    // One that leads to this machine: nothing else may be called, whatever is weakened.
    caughtBy: { file: 'test/ssrf.test.ts', named: 'a name whose answer is private is not called when it is loopback' },
  },
  {
    name: 'limiter off by one',
    file: 'src/limits/window.ts',
    before: 'if (window.remaining < cost) spent = window;',
    after: 'if (window.remaining < cost - 1) spent = window;',
    caughtBy: {
      file: 'src/limits/window.test.ts',
      named: 'admits exactly as many requests per fixed window as the limit, and counts no refused one',
    },
  },
  {
    name: 'idempotency outside the transaction',
    file: 'src/compose/run-operation.ts',
    before: 'runOnce(repositories.idempotency, {',
    after:
      'runOnce({ ...repositories.idempotency, keep: async (...kept) => void setTimeout(() => ' +
      'database.write(call, (later) => later.idempotency.keep(...kept)), 50) }, {',
    caughtBy: {
      file: 'prove/kill-idempotent.prove.ts',
      named: 'kills adds no animal twice and loses none',
    },
  },
  {
    name: 'stream cap off',
    file: 'src/events/open-streams.ts',
    before: 'if (ofKey.of(keyId) >= perKey) refuse(',
    after: 'if (ofKey.of(keyId) >= Number.POSITIVE_INFINITY) refuse(',
    caughtBy: {
      file: 'src/events/stream-events.limits.test.ts',
      named: 'is that of its plan: one more is refused with Retry-After, and costs one request like any refusal',
    },
  },
  {
    name: 'pet limit off by one batch',
    file: 'src/pets/pet-limit.ts',
    before: 'if (count + more <= limit) return;',
    after: 'if (count < limit) return;',
    caughtBy: {
      file: 'src/pets/pet-limit.test.ts',
      named: 'takes a batch that fits to the last pet, and nothing of a larger one',
    },
  },
  {
    name: 'demo without a limit on what visitors store',
    file: 'src/process/demo.ts',
    before: 'mostEvents: events, mostPets: Math.floor(events / 3), checkpointPages',
    after: 'checkpointPages',
    caughtBy: {
      file: 'prove/demo-flood.prove.ts',
      named: 'the next reset works, and the samples are back',
    },
  },
];
