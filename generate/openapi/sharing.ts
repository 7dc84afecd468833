import { type Json, ref } from './schemas.ts';

export type Part = {
  name: string;
  exactName?: string;
  value: Json;
  description?: string;
};

export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const identityOf = ({ value, description }: Part): string =>
  JSON.stringify(description === undefined ? value : { ...value, description });

const sharedValue = (parts: readonly [Part, ...Part[]]): Json => {
  const [{ value, description }] = parts;
  const isSaidByAll = parts.every((part) => part.value.description === value.description);
  return isSaidByAll ? value : { ...value, description };
};

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
    return { ...ref(kind, found.name), ...(description !== found.value.description && { description }) };
  };
  const byName = [...shared.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { components: Object.fromEntries(byName.map(({ name, value }) => [name, value])), place };
};
