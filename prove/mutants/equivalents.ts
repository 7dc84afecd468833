/** Mutants that nobody could tell from the code as it is, and why. */
export const EQUIVALENTS: readonly { file: string; on: string; change: string; reason: string }[] = [
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
];
