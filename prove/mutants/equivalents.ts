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
];
