/** Proofs that can run on a busy machine, because they do not measure time. */
export const UNTIMED: readonly string[] = [
  'audit',
  'bad-disk',
  'bit-rot',
  'chaos',
  'chaos-pooler',
  'clean-machine',
  'contract',
  'damage-advice',
  'demo-flood',
  'event-streams',
  'failed-sync',
  'few-descriptors',
  'full-disk',
  'growth',
  'file-owner',
  'kill-idempotent',
  'killed-migration',
  'limit-exact',
  'log-flood',
  'missing-pages',
  'move',
  'mutants',
  'one-of-a-kind',
  'one-of-a-kind-fleet',
  'power-loss',
  'replicas',
  'secrets',
  'signals',
  'simulation',
  'symlinks',
  'storage-quota',
  'weakenings',
  'wrong-clock',
];

/**
 * Proofs that spend most of their time waiting and have time limits of at least a second. Two of them may run at the
 * same time, but not together with other proofs.
 */
export const WAITING: readonly string[] = [
  'bad-connections',
  'instance-kill',
  'kill-model',
  'postgres-crowd',
  'postgres-failover',
  'postgres-instances',
  'postgres-patience',
  'postgres-restart',
  'spreading',
  'webhook-flood',
  'webhook-kills',
];
