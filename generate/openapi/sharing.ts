import { type Json, ref } from './schemas.ts';

/** A part of the document, and what it is called where several places share it. */
export type Part = {
  name: string;
  /** In the place of the name where parts that differ have the same. */
  exactName?: string;
  value: Json;
  /** What is true of it wherever it stands. With it, parts that differ in their descriptions alone are one. */
  description?: string;
};

/** Every word with a capital, and nothing between them. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const identityOf = ({ value, description }: Part): string =>
  JSON.stringify(description === undefined ? value : { ...value, description });

/** What is said of all of them: what each says, or else what is true of any. */
const sharedValue = (parts: readonly [Part, ...Part[]]): Json => {
  const [{ value, description }] = parts;
  const isSaidByAll = parts.every((part) => part.value.description === value.description);
  return isSaidByAll ? value : { ...value, description };
};

/** What occurs twice is written once, under `components`; `place` says what stands in the place of a part. */
export const shareParts = (kind: 'parameters' | 'responses', parts: readonly Part[]) => {
  const repeated = [...Map.groupBy(parts, identityOf)].filter(([, those]) => those.length > 1);
  const firsts = repeated.map(([, [first]]) => first as Part);
  const shared = new Map<string, { name: string; value: Json }>();
  for (const [identity, those] of repeated) {
    const [{ name: short, exactName = short }] = those as [Part];
    const wanted = firsts.filter(({ name }) => name === short).length > 1 ? exactName : short;
    let name = wanted;
    for (let count = 2; [...shared.values()].some((other) => other.name === name); count += 1)
      name = `${wanted}${count}`;
    shared.set(identity, { name, value: sharedValue(those as [Part]) });
  }

  const place = (part: Part): Json => {
    const found = shared.get(identityOf(part));
    if (!found) return part.value;
    const { description } = part.value;
    // Beside a reference OpenAPI 3.1 lets a description stand, which goes before the one that is referred to.
    return { ...ref(kind, found.name), ...(description !== found.value.description && { description }) };
  };
  const byName = [...shared.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { components: Object.fromEntries(byName.map(({ name, value }) => [name, value])), place };
};
