/** A mutant as it is listed: what stands on its line, what is changed there, and which of those alike it is, if not the first. */
export type Equivalent = { file: string; on: string; change: string; nth?: number; reason: string };

/** Mutants that no promise tells from the code as it is, and why. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/http/cursor.ts',
    on: "const spelled = text.slice(text.indexOf('.', 2) + 1);",
    change: '2 → 3',
    reason: 'a checksum has at least one character, so that the dot behind it is never at 2',
  },
  {
    file: 'src/webhooks/address.ts',
    on: 'lists ??= createLists();',
    change: '??= → =',
    reason: 'the same lists, made anew each time',
  },
  {
    file: 'src/webhooks/telling.ts',
    on: "const readingScope = (type: EventType): Scope => READING[type.split('.', 1)[0] as Kind];",
    change: '1 → 2',
    reason: 'what comes behind the first dot is not looked at',
  },
  {
    file: 'src/orders/expire-orders.ts',
    on: 'for (let first = 0; first < orders.length; first += ENDED_AT_ONCE) {',
    change: '< → <=',
    reason: 'one round more, with no order in it',
  },
  {
    file: 'src/orders/expire-orders.ts',
    on: 'const FOUND_AT_ONCE = 500;',
    change: '500 → 501',
    reason: 'how many are looked for at once is no promise: those that are left are found by the next look',
  },
  {
    file: 'src/database/group-commit.ts',
    on: 'syncs.answer();',
    change: 'without syncs.answer();',
    nth: 1,
    reason: 'whoever is on disk is answered at the end of the wait for the next group: later, and never too early',
  },
  {
    file: 'src/database/group-commit.ts',
    on: 'syncs.answer();',
    change: 'without syncs.answer();',
    nth: 3,
    reason: 'whoever is on disk is answered at the next step of the same loop: later, and never too early',
  },
  {
    file: 'src/limits/window.ts',
    on: 'if (earlierMs <= 0) return ban;',
    change: '<= → <',
    reason: 'a ban that began now is the same, begun now',
  },
  {
    file: 'src/limits/window.ts',
    on: 'if (count && count.until > now + lengthMs) count.until = now + lengthMs;',
    change: '> → >=',
    reason: 'what ends then is set to end then',
  },
  {
    file: 'src/database/group-transaction.ts',
    on: 'const PATIENCE_MS = 1000;',
    change: '1000 → 1001',
    reason: 'how long another program is waited for is no promise to the millisecond',
  },
  {
    file: 'src/database/group-transaction.ts',
    on: 'const RETRY_MS = 20;',
    change: '20 → 21',
    reason: 'how often is looked whether another program still holds the file is no promise',
  },
  {
    file: 'src/database/group-transaction.ts',
    on: 'let isCareful = false;',
    change: 'false → true',
    reason: '`begin` sets it before any body runs',
  },
  {
    file: 'src/database/group-transaction.ts',
    on: 'if (!connection.isBusy(error) || elapsed() > deadline) throw error;',
    change: '> → >=',
    reason: 'how long another program is waited for is no promise to the millisecond',
  },
  {
    file: 'src/keys/authenticate-key.ts',
    on: 'if (clock() - now > LONGEST_WAIT_MS) throw crowded();',
    change: '> → >=',
    reason: 'how long a stranger waits is no promise to the millisecond',
  },
  {
    file: 'src/webhooks/delivery.ts',
    on: 'const asked = Math.min(result.retryAfterMs ?? 0, 24 * HOUR_MS);',
    change: '0 → 1',
    reason: 'every wait of the schedule is longer than a millisecond',
  },
  {
    file: 'src/webhooks/silence-webhooks.ts',
    on: 'const WEBHOOKS_AT_ONCE = 100;',
    change: '100 → 101',
    reason: 'how many are looked for at once is no promise: those that are left are found by the next look',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'if (until > now) break;',
    change: '> → >=',
    reason: 'what ends now is dropped a little later, and used by nobody meanwhile',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'for (const [name, until] of refusedUntil) if (until <= now) refusedUntil.delete(name);',
    change: 'until <= now → false',
    reason: 'only gives memory back: whether a refusal still counts is asked of its time',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'for (const [name, until] of refusedUntil) if (until <= now) refusedUntil.delete(name);',
    change: 'without refusedUntil.delete(name);',
    reason: 'only gives memory back: whether a refusal still counts is asked of its time',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'for (const [name, until] of refusedUntil) if (until <= now) refusedUntil.delete(name);',
    change: '<= → <',
    reason: 'only gives memory back: whether a refusal still counts is asked of its time',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'dropEnded(now);',
    change: 'without dropEnded(now);',
    nth: 1,
    reason: 'only gives memory back: what has ended is asked for again, and dropped before anything is given back',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'if ((held.get(name)?.until ?? 0) - now >= RENEWAL_MS) return true;',
    change: '0 → 1',
    reason: 'the first millisecond of 1970 is as long ago',
  },
  {
    file: 'src/webhooks/leases.memory.ts',
    on: 'if ((refusedUntil.get(name) ?? 0) > now) return false;',
    change: '0 → 1',
    reason: 'the first millisecond of 1970 is as long ago',
  },
];
