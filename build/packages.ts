const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

export const packagesOf = (modules: Iterable<string>): string[] => {
  const places = new Set<string>();
  for (const module of modules) {
    const [place] = PACKAGE.exec(module) ?? [];
    if (place) places.add(place);
  }
  return [...places].sort();
};

export const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
