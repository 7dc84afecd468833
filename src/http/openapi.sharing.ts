import { type Json, ref } from './openapi.schemas.ts';

/** A part of the document, and what it is called where several places share it. */
export type Part = { name: string; value: Json };

/** Every word with a capital, and nothing between them. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** What occurs twice is written once, under `components`; `place` says what stands in the place of a part. */
export const shareParts = (kind: 'parameters' | 'responses', parts: readonly Part[]) => {
  const shared = new Map<string, Part>();
  const refs = new Map<string, Json>();
  for (const [text, [first, second]] of Map.groupBy(parts, ({ value }) => JSON.stringify(value))) {
    if (!first || !second) continue;
    let { name } = first;
    for (let count = 2; shared.has(name); count += 1) name = `${first.name}${count}`;
    shared.set(name, first);
    refs.set(text, ref(kind, name));
  }
  const byName = [...shared].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    components: Object.fromEntries(byName.map(([name, { value }]) => [name, value])),
    place: ({ value }: Part): Json => refs.get(JSON.stringify(value)) ?? value,
  };
};
