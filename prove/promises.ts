type Promised = {
  name: string;
  when: string;
  promise: string;
  proofs?: readonly string[];
  isCounted?: boolean;
  tests?: readonly string[];
};

const RELIABILITY: readonly Promised[] = [
  {
    name: 'kills',
    when: 'kill −9 during writes, 500 times',
    promise: '0 acknowledged writes lost, 0 duplicated, ready again within 1 s',
    proofs: ['kill-writes', 'kill-idempotent', 'kill-model'],
    isCounted: true,
  },
  {
    name: 'power-loss',
    when: 'power loss at 1,000 points of a recorded run: unsynced writes are dropped, torn and reordered',
    promise:
      '0 acknowledged writes lost, 0 files corrupt, all stored counts correct, no id reused; the same test fails if responses do not wait for the disk',
    proofs: ['power-loss'],
  },
  {
    name: 'simulation',
    when: 'group commit, event sequence numbers, the leader and webhook delivery, simulated with 10,000 seeds while disks, clocks, networks and processes fail',
    promise:
      'no acknowledged write lost, and no write acknowledged before it is on disk; events in order without gaps; never two leaders at the same time; every event delivered on schedule; a failing seed can be replayed exactly',
    proofs: ['simulation'],
    isCounted: true,
  },
  {
    name: 'one-of-a-kind',
    when: '10,000 concurrent orders for 100 pets, on SQLite and on 3 instances over PostgreSQL',
    promise: 'exactly 100 orders placed, no pet sold twice',
    proofs: ['one-of-a-kind', 'one-of-a-kind-fleet'],
  },
  {
    name: 'limit-exact',
    when: '5,000 simultaneous requests to 4 instances that share a limit',
    promise: 'exactly as many requests admitted as the limit allows',
    proofs: ['limit-exact'],
  },
  {
    name: 'postgres-away',
    when: 'PostgreSQL restarted, black-holed, or failed over to a synchronous standby, under load',
    promise:
      '0 acknowledged writes lost; requests get 503 `unavailable` during the outage, and none hangs for over 5 s; the service recovers within 2 s after PostgreSQL returns',
    proofs: ['postgres-restart', 'postgres-failover', 'postgres-network', 'postgres-patience'],
  },
  {
    name: 'redis-away',
    when: 'Redis killed, black-holed, or failed over under load',
    promise:
      '0 responses with 5xx; no request waits over 600 ms, p99 ≤ 50 ms from one second after the failure; each instance enforces the limit on its own during the outage',
    proofs: ['redis-away'],
  },
  {
    name: 'rolling-restart',
    when: 'rolling restart of 3 instances behind a proxy under load, and upgrade to a new schema and back',
    promise: '0 failed requests',
    proofs: ['rolling-restart'],
  },
  {
    name: 'overload',
    when: 'durable POST requests at twice the peak rate, from a constant-rate generator',
    promise:
      'goodput ≥ 65 % of the peak, p99 of admitted requests ≤ 100 ms, other requests refused quickly with 503 and `Retry-After`, normal again within 1 s',
    proofs: ['overload'],
  },
  {
    name: 'webhook-kills',
    when: 'webhook receiver down, service killed 100 times',
    promise: 'every event delivered at least once, always with the same id',
    proofs: ['webhook-kills'],
    isCounted: true,
  },
  {
    name: 'fuzzing',
    when: 'fuzzing based on the OpenAPI document, and property tests (100,000 requests in a long run)',
    promise: '0 responses with 5xx, 0 undocumented responses',
    proofs: ['contract'],
    isCounted: true,
    tests: ['test/properties.test.ts', 'test/model/store.test.ts'],
  },
  {
    name: 'bad-connections',
    when: 'malformed HTTP, 5,000 slow connections, 16 MB headers, 1 GB bodies',
    promise: 'these callers are refused or disconnected, and the service is unaffected',
    proofs: ['bad-connections'],
  },
  { name: 'soak', when: 'one hour of mixed load', promise: 'constant memory', proofs: ['soak'], isCounted: true },
  {
    name: 'strangers',
    when: '5,000 connections, 4,500 of them without a valid key',
    promise:
      'valid callers keep ≥ 65 % of their goodput, p99 ≤ 250 ms; with 3,000 valid connections, goodput ≥ 65 % of the peak',
    proofs: ['strangers'],
  },
  {
    name: 'counted-refusals',
    when: '1,500 connections from one address repeat requests that are refused (two `Host` headers, `PUT /healthz`, missing pages) as fast as they can',
    promise: 'every refusal counts against the address; other callers wait for at most 3 ms of processor time',
    proofs: ['counted-refusals'],
  },
  {
    name: 'missing-pages',
    when: 'callers at one address use up the limit for missing pages, or the limit for existing pages',
    promise: 'other callers at that address can still read every page; in the second case, they need a valid key',
    proofs: ['missing-pages'],
  },
  {
    name: 'log-flood',
    when: 'callers without a key, at one or 1,000 addresses, send requests as fast as they can',
    promise: 'at most 500 log lines, plus 100 a second; every request by a valid caller is logged',
    proofs: ['log-flood'],
  },
  {
    name: 'failed-sync',
    when: 'a sync fails, followed by SIGTERM, SIGKILL or power loss, and a restart',
    promise: '0 acknowledged writes lost, and the file is intact',
    proofs: ['failed-sync'],
    isCounted: true,
  },
  {
    name: 'bad-disk',
    when: 'ENOSPC, EIO, short writes and failed syncs at the n-th call for n = 1 to 200',
    promise:
      'affected requests get 503; no acknowledged write lost, no refused write visible; recovery without a restart where that is safe, otherwise not ready',
    proofs: ['bad-disk'],
    isCounted: true,
  },
  {
    name: 'bit-rot',
    when: 'a single byte of the SQLite file changes, 300 times, before startup or while the service is running',
    promise:
      'damage that `integrity_check` can find is never hidden by a backup, and makes the service not ready within one scan; no false alarms; rotation keeps the last backup that was made from a checked database',
    proofs: ['bit-rot'],
    isCounted: true,
  },
  {
    name: 'full-disk',
    when: 'the file system is full: the log cannot grow, or a checkpoint runs out of space',
    promise:
      'writes get 503, and reads continue; `/readyz` returns 503, with one log line; 0 acknowledged writes lost; recovery without a restart once there is space',
    proofs: ['full-disk'],
    isCounted: true,
  },
  {
    name: 'few-descriptors',
    when: '2,000 connections to a process with 256 file descriptors',
    promise: 'every write by a connected caller succeeds, and the process keeps running',
    proofs: ['few-descriptors'],
    isCounted: true,
  },
  {
    name: 'signals',
    when: 'SIGHUP, SIGUSR1 and SIGUSR2 under load',
    promise:
      'SIGHUP drains like SIGTERM: 0 acknowledged writes lost, every request answered, exit code 0; SIGUSR1 and SIGUSR2 have no effect',
    proofs: ['signals'],
    isCounted: true,
  },
  {
    name: 'fairness',
    when: 'one caller on any plan, with any body and any number of streams, pages or webhooks',
    promise: "other callers' p99 rises to at most 3 times its usual value",
    proofs: ['any-body', 'fairness-streams', 'flood', 'page-flood', 'sandbox-reset'],
  },
  {
    name: 'invalid-batch',
    when: 'eight connections, with one key or eight keys, send batches of 1 MiB whose last row is invalid',
    promise:
      'each invalid batch counts as ten requests, like a valid one; a read during the flood waits for at most 10 ms of work',
    proofs: ['invalid-batch'],
  },
  {
    name: 'memory',
    when: 'any load from callers without a key',
    promise: 'at most 400 MB of memory',
    proofs: ['slow-readers'],
  },
  {
    name: 'redis-far',
    when: 'four instances on an overloaded machine, with Redis or a Redis Cluster 5, 20, 35, 60 or 200 ms away',
    promise: 'exactly as many requests admitted as the limit allows, and the key banned once',
    proofs: ['redis-far'],
  },
  {
    name: 'starved-tests',
    when: '`npm test` alongside eight busy loops',
    promise: 'passes 10 times out of 10',
    proofs: ['starved-tests'],
  },
  {
    name: 'mutants',
    when: 'mutants of the code for security, money and durability rules, and of code outside the server',
    promise: 'no mutant survives',
    proofs: ['mutants'],
    isCounted: true,
  },
  {
    name: 'weakenings',
    when: 'deliberate weakenings, such as no sync, a ban that is not saved or a claim that is ignored',
    promise: 'each weakening makes a proof or a test fail',
    proofs: ['weakenings'],
  },
  {
    name: 'instance-kill',
    when: 'one of three instances killed under load',
    promise:
      '0 acknowledged writes lost; the other instances have no failures and take over: pets released at most 33 s late, events numbered within 6 s, webhooks delivered within 40 s',
    proofs: ['instance-kill'],
  },
  {
    name: 'chaos',
    when: 'four instances behind a proxy, 20,000 requests with retries: kills, immediate PostgreSQL shutdowns, Redis killed, rolling restarts, delays, resets, half-open connections',
    promise:
      'every acknowledged pet exists once, in at most one open order; all stored counts correct; one event per change, without gaps; every event delivered; limits enforced, with the documented exceptions',
    proofs: ['chaos'],
    isCounted: true,
  },
  {
    name: 'chaos-pooler',
    when: 'the same faults, 2,000 requests, through PgBouncer in transaction mode, which is killed too; also on Citus, if a cluster is available',
    promise: 'nothing is lost, duplicated or oversold; every event is delivered',
    proofs: ['chaos-pooler'],
  },
  {
    name: 'instances',
    when: 'ten instances start together; one is frozen during transactions',
    promise:
      "one schema, one admin key; the frozen instance's work is taken over within 33 s, and nothing is done twice",
    proofs: ['postgres-instances'],
  },
  {
    name: 'spreading',
    when: 'a key is revoked, rotated, banned or given another plan on one instance',
    promise: 'the change takes effect on every other instance within one second',
    proofs: ['spreading'],
  },
  {
    name: 'replicas',
    when: 'two instances with a standby whose replay is delayed and paused; one instance loses Redis',
    promise: 'every caller reads its own writes: 0 stale reads, 0 failed requests',
    proofs: ['replicas'],
  },
  {
    name: 'crowd',
    when: 'PostgreSQL has no free connections, or a session locks one pet',
    promise: 'no request waits over 5 s; requests that do not need the locked pet are served within 1.5 s',
    proofs: ['postgres-crowd'],
  },
  {
    name: 'growth',
    when: 'PostgreSQL with 10,000,000 pets in 100,000 stores, one of which has a tenth of the pets',
    promise:
      'no operation runs a statement that scans a table; a statement for a few rows reads at most 60 pages of 8 kB, and a list of 100 rows at most 450; the report lists the exceptions',
    proofs: ['growth'],
    isCounted: true,
  },
  {
    name: 'slow-disk',
    when: 'a disk sync takes 150 ms',
    promise: 'a write is acknowledged after the sync; until then, all reads return the previous state',
    proofs: ['slow-disk'],
  },
  {
    name: 'webhook-fairness',
    when: 'up to 200 webhook endpoints that are slow, hang or trickle',
    promise: 'other endpoints get their events within 1 s',
    proofs: ['webhook-fairness'],
  },
  {
    name: 'webhook-flood',
    when: '100 webhooks to one host and port',
    promise:
      'the host gets at most 20 requests a second from all instances together, and no other endpoint waits over 1 s',
    proofs: ['webhook-flood'],
  },
  {
    name: 'event-streams',
    when: 'a thousand simultaneous streams; a reader that reconnects repeatedly',
    promise: 'every reader gets every event once, in order',
    proofs: ['event-streams'],
  },
  {
    name: 'damage-advice',
    when: 'a damaged file whose log contains 200 acknowledged rows; a log that is deleted while the service is running',
    promise:
      'the commands in the error message delete nothing, and the service starts on the restored database; the next start reports a deleted log, without false reports',
    proofs: ['damage-advice'],
    isCounted: true,
  },
  {
    name: 'killed-migration',
    when: 'the service is killed in the middle of a migration, 30 times',
    promise: 'one complete copy and at most one unfinished file; every row is present after the next start',
    proofs: ['killed-migration'],
    isCounted: true,
  },
  {
    name: 'move',
    when: 'a million pets move from SQLite to PostgreSQL and back, and each move is killed 10 times',
    promise:
      'every row arrives once: row counts and checksums match for all tables; no service opens an incomplete database; the old service answers every read during the move',
    proofs: ['move'],
    isCounted: true,
  },
  {
    name: 'symlinks',
    when: 'a database path that is a symbolic link: absolute, relative, through another link, or dangling',
    promise: 'every command uses the real file and its lock; a dangling link is refused',
    proofs: ['symlinks'],
    isCounted: true,
  },
  {
    name: 'file-owner',
    when: 'restore, migrate, backup, doctor and serve run as root in a folder that the service user owns',
    promise: 'the service user can open every file; an error names the owner, the user and the command that fixes it',
    proofs: ['file-owner'],
  },
  {
    name: 'clean-machine',
    when: 'the built file in a read-only root with only its libraries, `/proc` and a data folder, and the steps of the Dockerfile without Docker',
    promise:
      'the service, the demo, the console and the command line work, including import, backup and restore; the image runs as a user without a name',
    proofs: ['clean-machine'],
  },
  {
    name: 'wrong-clock',
    when: 'the clock is wrong by ±1 day, 410 days or 2,000 days, for a minute and across a restart',
    promise: '0 rows deleted, 0 requests run twice; deletion by age resumes once the clocks have agreed for an hour',
    proofs: ['wrong-clock'],
  },
  {
    name: 'storage-quota',
    when: 'many callers fill one store at the same time, with single pets and batches, on SQLite and on 3 instances over PostgreSQL',
    promise: "the store never exceeds the key's pet limit, and reaches it exactly; deleting pets makes room",
    proofs: ['storage-quota'],
    isCounted: true,
  },
  {
    name: 'demo-flood',
    when: 'visitors fill the sandbox of a public demo on a 64 MB memory disk',
    promise: 'visitors get 403 `store_full`, and the disk never fills up; the next reset restores the sample pets',
    proofs: ['demo-flood'],
    isCounted: true,
  },
];

const SECURITY: readonly Promised[] = [
  {
    name: 'scopes',
    when: 'any operation, webhook or stream',
    promise: 'each one requires its scope, and none is available without a valid key',
    tests: [
      'test/every-operation.test.ts',
      'test/authentication.test.ts',
      'test/list-of-operations.test.ts',
      'test/webhook-scopes.test.ts',
      'src/resources/webhooks/operators-webhook.test.ts',
    ],
  },
  {
    name: 'secrets',
    when: 'keys at rest, logs, errors, URLs',
    promise: 'keys are stored only as hashes; no secret appears in a log, an error, a URL or a metric label',
    proofs: ['secrets'],
    tests: ['src/resources/keys/secret.test.ts', 'test/process.test.ts'],
  },
  {
    name: 'isolation',
    when: 'every operation with a key from another store',
    promise: "no store sees another store's rows; every operation returns 404",
    tests: ['test/isolation.test.ts'],
  },
  {
    name: 'ssrf',
    when: 'a webhook to a private address: by name, literal address, redirect or changing DNS response',
    promise: 'the address is never contacted',
    tests: ['test/ssrf.test.ts'],
  },
  {
    name: 'console-policy',
    when: 'the console',
    promise: 'works without `unsafe-inline` scripts',
    tests: ['test/browser/console.test.ts', 'src/http/pages/pages.test.ts'],
  },
  { name: 'audit', when: '`npm audit`', promise: 'no known vulnerabilities', proofs: ['audit'] },
];

export const PROMISES: Readonly<Record<string, readonly Promised[]>> = {
  Reliability: RELIABILITY,
  Security: SECURITY,
};
