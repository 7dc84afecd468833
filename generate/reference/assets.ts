import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Asset = { name: string; text: string };

/** The name holds the hash of the content, so that browsers keep a file for good. */
const asset = (stem: string, ending: string, text: string): Asset => {
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${ending}`, text };
};

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
/** A block for each file, so that files share no names. */
const script = (...names: readonly string[]): string => names.map((name) => `{\n${read(name)}}\n`).join('');

export const LOOK = asset('look', 'css', read('look.css'));
export const REFERENCE = asset('reference', 'css', read('reference.css') + read('tools.css'));
export const THEME = asset('theme', 'js', script('theme.js'));
export const SCRIPT = asset('script', 'js', script('links.js', 'samples.js', 'search.js', 'try.js'));

/** The styles and scripts of the pages. */
export const ASSETS = [LOOK, REFERENCE, THEME, SCRIPT];
