import { findChromium } from './browser/chromium.ts';

/** What some tests use beside Node and npm: used where it is found, and a test that lacks it is skipped out loud. */
export const NEEDS = [
  { name: 'Chromium', tests: 'the pages in a browser', isHere: () => findChromium() !== undefined },
  { name: 'openssl', tests: 'the certificates of receivers', isHere: () => Bun.which('openssl') !== null },
  { name: 'script', tests: 'the start on a terminal', isHere: () => Bun.which('script') !== null },
] as const;

export const lacks = (name: (typeof NEEDS)[number]['name']): boolean =>
  !NEEDS.find((need) => need.name === name)?.isHere();
