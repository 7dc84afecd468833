import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Asset = { name: string; text: string };

/** The name contains a hash of the content, so that browsers can cache the file forever. */
const asset = (stem: string, ending: string, text: string): Asset => {
  const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${ending}`, text };
};

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
const styles = (...names: readonly string[]): string =>
  names
    .map((name) =>
      read(`${name}.css`)
        .replaceAll(/\/\*[\s\S]*?\*\/|\n\s*/g, '')
        .replaceAll(/;(?=\})|(?<=[:,]) | (?=\{)/g, ''),
    )
    .join('');

const SHARED = ['tokens', 'shared'].map((name) => `../../../console/style/${name}`);

const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true });
/** Wraps each file in a block, so that different files can declare the same names. */
const scripts = (...names: readonly string[]): string =>
  transpiler.transformSync(names.map((name) => `{\n${read(`${name}.ts`)}}\n`).join(''));

export const STYLE = asset('style', 'css', styles(...SHARED, 'icons', 'style', 'reference', 'parts', 'tools'));
export const HOME = asset('home', 'css', styles('home'));
export const THEME = asset('theme', 'js', scripts('theme'));
export const SCRIPT = asset('script', 'js', scripts('samples', 'links'));
export const TOOLS = asset('tools', 'js', scripts('search', 'try'));

export const ASSETS = [STYLE, HOME, THEME, SCRIPT, TOOLS];
