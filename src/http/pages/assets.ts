import links from '../browser/links.js' with { type: 'text' };
import look from '../browser/look.css' with { type: 'text' };
import reference from '../browser/reference.css' with { type: 'text' };
import samples from '../browser/samples.js' with { type: 'text' };
import search from '../browser/search.js' with { type: 'text' };
import theme from '../browser/theme.js' with { type: 'text' };
import tools from '../browser/tools.css' with { type: 'text' };
import tryOut from '../browser/try.js' with { type: 'text' };
import { type Asset, makeAsset } from './asset.ts';

/** Each file keeps its names to itself. */
const script = (...texts: readonly string[]): string => texts.map((text) => `{\n${text}}\n`).join('');

const FILES = {
  look: { ending: 'css', text: look },
  reference: { ending: 'css', text: reference + tools },
  theme: { ending: 'js', text: script(theme) },
  script: { ending: 'js', text: script(links, samples, search, tryOut) },
} as const;

type AssetName = keyof typeof FILES;

export type Assets = {
  /** The name under which each is served, with the hash of what it names. */
  names: Record<AssetName, string>;
  find(name: string | undefined): Asset | undefined;
};

/** The styles and scripts of the pages. */
export const makeAssets = async (): Promise<Assets> => {
  const made = await Promise.all(
    Object.entries(FILES).map(async ([key, { ending, text }]) => {
      const asset = await makeAsset(text, ending);
      return { key, name: `${key}.${asset.body.hash}.${ending}`, asset };
    }),
  );
  const byName = new Map(made.map(({ name, asset }) => [name, asset]));
  return {
    names: Object.fromEntries(made.map(({ key, name }) => [key, name])) as Assets['names'],
    find: (name) => byName.get(name ?? ''),
  };
};
