export type Weakening = {
  name: string;
  file: string;
  before: string;
  after: string;
  /** `named` is the last part of the full test name. */
  caughtBy: { file: string; named: string };
};

export const WEAKENINGS: readonly Weakening[] = [
  {
    name: 'no sync',
    file: 'src/storage/sqlite/sync.ts',
    before: 'if (end === resolve && !health.failure) await syncFile(file);',
    after: 'if (end === resolve && !health.failure) void syncFile(file);',
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses no acknowledged write and leaves the file intact',
    },
  },
  {
    name: 'no sync of the file at a checkpoint',
    file: 'src/storage/sqlite/checkpoint.worker.ts',
    before: 'else connection ??= connectSqlite(data.path);',
    after: "else if (!connection) (connection = connectSqlite(data.path)).script('PRAGMA synchronous = OFF');",
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses no acknowledged write and leaves the file intact',
    },
  },
  {
    name: 'response before commit',
    file: 'src/storage/sqlite/group-transaction.ts',
    before: 'running.outcome = { value };',
    after: 'running.outcome = { value }; running.resolve(value);',
    caughtBy: {
      file: 'prove/power-loss.prove.ts',
      named: 'loses no acknowledged write and leaves the file intact',
    },
  },
  {
    name: 'passwords among the settings',
    file: 'src/config.ts',
    before: 'return at < 0 ? head : scheme + head.slice(at + 1);',
    after: 'return head;',
    caughtBy: { file: 'src/config.test.ts', named: 'never contain a secret, whatever characters it has' },
  },
  {
    name: "secrets in a key's requests",
    file: 'src/resources/usage/usage.ts',
    before: 'path: mask(request.path).slice(0, MAX_PATH)',
    after: 'path: mask(request.path.slice(0, MAX_PATH))',
    caughtBy: {
      file: 'src/resources/usage/get-requests.test.ts',
      named: 'shows no secret in a path, however long the path is',
    },
  },
  {
    name: 'the secrets of the service in the process of a backup',
    file: 'src/ops/backup-schedule.ts',
    before: 'filter(([name]) => !KNOWN.includes(name))',
    after: 'filter(() => true)',
    caughtBy: {
      file: 'test/backup-over-http.sqlite.test.ts',
      named: 'gets the path and the environment, and no secrets',
    },
  },
  {
    name: 'query without the store',
    file: 'src/resources/orders/orders.repository.sql.ts',
    before: 'FROM orders WHERE store_id = $1 AND id = $2',
    after: 'FROM orders WHERE $1 = $1 AND id = $2',
    caughtBy: {
      file: 'test/isolation.test.ts',
      named: 'getOrder across stores answers 404 for a row of another store, exactly as for one that does not exist',
    },
  },
  {
    name: 'ban not saved',
    file: 'src/compose/compose.ts',
    before: 'await record((repositories) => banKey(repositories, keyId, ban, shownUntil));',
    after: 'void [record, banKey, ban, shownUntil];',
    caughtBy: {
      file: 'test/bans.test.ts',
      named: 'is stored, together with its event, by the time the response reports it',
    },
  },
  {
    name: 'signature without time',
    file: 'src/delivery/signature.ts',
    before: 'hmacSha256(key, content)',
    after: "hmacSha256(key, content.replace(/[.][0-9]+[.]/, '.'))",
    caughtBy: {
      file: 'src/delivery/signature.test.ts',
      named: 'is accepted by the official library, which returns the body',
    },
  },
  {
    name: 'claim ignored',
    file: 'src/delivery/send-due.ts',
    before: 'if ((await claimed).includes(delivery.id))',
    after: 'if (await claimed)',
    caughtBy: {
      file: 'src/delivery/dispatcher.test.ts',
      named: 'sends only the deliveries that it could claim',
    },
  },
  {
    name: 'SSRF check loosened',
    file: 'src/delivery/address.ts',
    before: ' 127.0.0.0/8',
    after: '',
    // This test uses an address on this machine, so the weakened code cannot call another machine.
    caughtBy: {
      file: 'test/ssrf.test.ts',
      named: 'a name that resolves to a private address is not called when the answer is loopback',
    },
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
      named: 'kills adds no pet twice and loses none',
    },
  },
  {
    name: 'ready on a full disk',
    file: 'src/storage/sqlite/database.ts',
    before: '!health.failure && space.canWrite()',
    after: '!health.failure',
    caughtBy: {
      file: 'src/storage/sqlite/space.test.ts',
      named: 'refuses writes with Retry-After, reports it once, and cannot write',
    },
  },
  {
    name: 'a full disk without a probe',
    file: 'src/storage/sqlite/database.ts',
    before: 'await space.probe(() => groups.run(probe).catch(space.noteWrite));',
    after: '',
    caughtBy: {
      file: 'src/storage/sqlite/space.test.ts',
      named: 'makes its probe a real write, and makes none while there is space',
    },
  },
  {
    name: 'no descriptors in reserve',
    file: 'src/ops/descriptor-reserve.ts',
    before: 'isAccepting = false;\n    release(reserve);',
    after: 'isAccepting = false;',
    caughtBy: {
      file: 'src/ops/descriptor-reserve.test.ts',
      named: 'a process without free descriptors stops accepting and keeps a reserve',
    },
  },
  {
    name: 'SIGHUP without a drain',
    file: 'src/ops/signals.ts',
    before: "['SIGTERM', 'SIGINT', 'SIGHUP'];",
    after: "['SIGTERM', 'SIGINT'];",
    caughtBy: { file: 'test/shutdown.test.ts', named: 'by SIGHUP exits with 0 and logs the signal' },
  },
  {
    name: 'SIGUSR1 ends the process',
    file: 'src/ops/signals.ts',
    before: "['SIGUSR1', 'SIGUSR2']",
    after: "['SIGUSR2']",
    caughtBy: { file: 'test/shutdown.test.ts', named: 'by SIGHUP under nohup keeps serving' },
  },
  {
    name: 'no limit on streams',
    file: 'src/streaming/hub.ts',
    before: 'if (counts.of(keyId) >= perKey)',
    after: 'if (counts.of(keyId) >= Number.POSITIVE_INFINITY)',
    caughtBy: {
      file: 'src/resources/events/stream-events.limits.test.ts',
      named: 'is that of its plan: one more gets 429 with Retry-After, and costs one request',
    },
  },
  {
    name: 'two hosts not counted',
    file: 'src/http/handle.ts',
    before: 'await countAddress(service, context);\n      throw TWO_HOSTS;',
    after: 'throw TWO_HOSTS;',
    caughtBy: {
      file: 'test/counted-refusals.sqlite.test.ts',
      named: 'invalid_request: operation, with a valid key too',
    },
  },
  {
    name: 'page refusals before admission',
    file: 'src/http/pages/page-checks.ts',
    before: 'page !== undefined && takes(page, request)',
    after: 'page === undefined || takes(page, request)',
    caughtBy: {
      file: 'test/counted-refusals.sqlite.test.ts',
      named: 'every refusal without a key becomes a 503, and is not counted',
    },
  },
  {
    name: 'missing pages counted as pages',
    file: 'src/http/pages/page-checks.ts',
    before: 'count(service, context, refused ? missingPageSubject : pageSubject)',
    after: 'count(service, context, pageSubject)',
    caughtBy: {
      file: 'src/http/pages/page-checks.test.ts',
      named: 'that is missing has a separate window',
    },
  },
  {
    name: 'a log line for every caller without a key',
    file: 'src/http/observe/request-log.ts',
    before: 'if (!isAllowed) return suppress();',
    after: 'void isAllowed;',
    caughtBy: {
      file: 'src/http/observe/request-log.test.ts',
      named: 'of one address without a key are limited to 50, then 10 a second, and one line counts the rest',
    },
  },
  {
    name: 'backup source not checked',
    file: 'src/storage/sqlite/backup/backup.worker.ts',
    before: 'checkIntegrity(data.path);',
    after: 'void checkIntegrity;',
    caughtBy: {
      file: 'src/storage/sqlite/integrity/scan.test.ts',
      named: 'fails, reports what is wrong, and leaves nothing under its name',
    },
  },
  {
    name: 'batch not charged for its rows',
    file: 'src/http/input/read-batch.ts',
    before: 'const cost = count > 0 && count <= MAX_ROWS ? Math.ceil(count / ROWS_PER_REQUEST) : byBytes;',
    after: 'const cost = count > 0 && count <= MAX_ROWS ? 1 : byBytes;',
    caughtBy: {
      file: 'src/resources/pets/create-pet-batch.test.ts',
      named: 'is that of all rows even if one is invalid',
    },
  },
  {
    name: 'batch parsed in one slice',
    file: 'src/http/overload/batch-slots.ts',
    before: 'if (elapsed() >= endsAt) await next();',
    after: 'if (endsAt < 0) await next();',
    caughtBy: {
      file: 'src/http/overload/batch-slots.slices.test.ts',
      named: 'a batch works for half a millisecond and continues in the next turn',
    },
  },
  {
    name: 'advice to delete the log',
    file: 'src/storage/sqlite/files.ts',
    before: 'to another folder, and do not delete any of them',
    after: 'to another folder, or delete its log',
    caughtBy: {
      file: 'src/storage/sqlite/open.test.ts',
      named: 'advises moving all files and restoring a backup, with commands to paste into a shell',
    },
  },
  {
    name: 'deleted log not reported',
    file: 'src/storage/sqlite/open.ts',
    before: 'if (isMissing) reportMissingLog(sole, place);',
    after: 'void [isMissing, reportMissingLog];',
    caughtBy: {
      file: 'src/storage/sqlite/open.test.ts',
      named: 'stops the next start if the file is damaged',
    },
  },
  {
    name: 'a copy for each killed migration',
    file: 'src/storage/sqlite/backup/migration-copy.ts',
    before: 'const [last = copy, ...older] = copiesOf(copy);',
    after: 'const [last, ...older] = [copy];',
    caughtBy: {
      file: 'src/storage/sqlite/migrations.test.ts',
      named: 'gets a new copy that replaces the old one if it was made by an earlier migration',
    },
  },
  {
    name: 'link not resolved',
    file: 'src/config.ts',
    before: 'if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;',
    after: 'return path;',
    caughtBy: {
      file: 'src/config.test.ts',
      named: 'resolves to the real file through any link, and a dangling link is refused',
    },
  },
  {
    name: 'owner not inherited',
    file: 'src/storage/sqlite/owner.ts',
    before: 'lchownSync(path, folder.uid, folder.gid);',
    after: 'void lchownSync;',
    caughtBy: {
      file: 'src/storage/sqlite/owner.test.ts',
      named: 'belongs to the owner of its folder when root creates it',
    },
  },
  {
    name: 'deletion by a clock that was just changed',
    file: 'src/kernel/runtime.ts',
    before: 'return at - agreedSince >= HOUR_MS ? now : undefined;',
    after: 'return now;',
    caughtBy: { file: 'prove/wrong-clock.prove.ts', named: 'deletes nothing and repeats nothing' },
  },
  {
    name: 'deletion by a clock far ahead of all stored rows',
    file: 'src/storage/deletions.ts',
    before: 'isStopped = now - newest > FURTHEST_AHEAD_MS;',
    after: 'isStopped = now - newest > Number.POSITIVE_INFINITY;',
    caughtBy: {
      file: 'src/storage/deletions.test.ts',
      named: 'stops while the clock is over 7 days ahead of what was stored a day ago, and warns once',
    },
  },
  {
    name: 'pet limit off by one batch',
    file: 'src/resources/pets/create-pet.ts',
    before: 'if (count + more <= limit) return;',
    after: 'if (count < limit) return;',
    caughtBy: {
      file: 'src/resources/pets/pet-limit.test.ts',
      named: 'accepts a batch that fits exactly, and no pet of a larger one',
    },
  },
  {
    name: 'demo without a storage limit',
    file: 'src/ops/demo.ts',
    before: 'maxEvents: events, maxPets: Math.floor(events / 3), checkpointPages',
    after: 'checkpointPages',
    caughtBy: {
      file: 'prove/demo-flood.prove.ts',
      named: 'the next reset works, and the samples are back',
    },
  },
  {
    name: 'standby without the last write of the caller',
    file: 'src/storage/postgres/standby.ts',
    before: ' && lagMs + COMMITTED_MS <= (sinceWriteMs ?? 0)',
    after: '',
    caughtBy: {
      file: 'test/read-replica.test.ts',
      named: 'show a caller its own write on the other instance, however far the standby lags',
    },
  },
  {
    name: 'slow write not noted again',
    file: 'src/http/handle.ts',
    before: ' || service.elapsed() - startedAt > NOTED_FOR_MS',
    after: '',
    caughtBy: {
      file: 'test/read-replica.test.ts',
      named: 'show a write that took seconds, such as a slow upload',
    },
  },
  {
    name: 'standby used while an instance has no Redis',
    file: 'src/compose/app.ts',
    before: 'if (!(await limiter.noteWrite?.(keyId))) await suspendStandby();',
    after: 'await limiter.noteWrite?.(keyId);',
    caughtBy: {
      file: 'test/read-replica.test.ts',
      named: 'show a write that went through an instance without Redis',
    },
  },
];
