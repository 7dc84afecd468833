import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Asset = { name: string; text: string };

/** The file's name contains a hash of its content, so that browsers can cache the file forever. */
const asset = (stem: string, ending: string, text: string): Asset => {
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${ending}`, text };
};

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
const script = (...names: readonly string[]): string => names.map((name) => `{\n${read(name)}}\n`).join('');

export const LOOK = asset('look', 'css', read('look.css'));
export const REFERENCE = asset('reference', 'css', read('reference.css') + read('tools.css'));
export const THEME = asset('theme', 'js', script('theme.js'));
export const SCRIPT = asset('script', 'js', script('links.js', 'samples.js', 'search.js', 'try.js'));

export const ASSETS = [LOOK, REFERENCE, THEME, SCRIPT];
