import links from './browser/links.js' with { type: 'text' };
import look from './browser/look.css' with { type: 'text' };
import reference from './browser/reference.css' with { type: 'text' };
import samples from './browser/samples.js' with { type: 'text' };
import search from './browser/search.js' with { type: 'text' };
import theme from './browser/theme.js' with { type: 'text' };
import tools from './browser/tools.css' with { type: 'text' };
import tryOut from './browser/try.js' with { type: 'text' };
import { type SharedBody, shareBody } from './shared-body.ts';

/** Each file keeps its names to itself. */
const script = (...texts: readonly string[]): string => texts.map((text) => `{\n${text}}\n`).join('');

const FILES = {
  look: { ending: 'css', text: look },
  reference: { ending: 'css', text: reference + tools },
  theme: { ending: 'js', text: script(theme) },
  script: { ending: 'js', text: script(links, samples, search, tryOut) },
} as const;

type AssetName = keyof typeof FILES;

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export type Assets = {
  /** The name under which each is served: it holds the hash of what it names, so that it never has to be asked for again. */
  names: Record<AssetName, string>;
  find(name: string | undefined): { body: SharedBody; type: string } | undefined;
};

/** The styles and scripts of the pages. */
export const makeAssets = async (): Promise<Assets> => {
  const made = await Promise.all(
    Object.entries(FILES).map(async ([key, { ending, text }]) => {
      const body = await shareBody(new Blob([text]));
      return { key, name: `${key}.${body.hash}.${ending}`, body, type: TYPES[ending] };
    }),
  );
  const byName = new Map(made.map(({ name, ...asset }) => [name, asset]));
  return {
    names: Object.fromEntries(made.map(({ key, name }) => [key, name])) as Assets['names'],
    find: (name) => byName.get(name ?? ''),
  };
};
