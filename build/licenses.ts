import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SPDX from 'spdx-license-list/full.js';
import { ROOT } from '../check/root.ts';
import { lockedPackage } from './lock.ts';
import { findModules } from './modules.ts';
import { nameOf, packagesOf } from './packages.ts';
import { licenseIds, RUNTIME_PARTS } from './runtime-parts.ts';

const NO_TEXT = ['Unlicense'];

const textOf = (place: string): string | undefined => {
  const folder = join(ROOT, place);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
  const files = readdirSync(folder).sort();
  const own = files.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).map(read);
  if (own.length > 0) return own.join('\n\n');
  const readme = files.find((name) => /^readme/i.test(name));
  return readme && /^#+ *licen[cs]e\s+([\s\S]*Permission is hereby granted[\s\S]*)/im.exec(read(readme))?.[1]?.trim();
};

const RULE = `\n\n${'-'.repeat(80)}\n\n`;

const runtimeText = (): string =>
  [
    `The runtime is Bun ${process.versions.bun}, under the MIT License. Its parts, their licences and their copyright notices:`,
    ...RUNTIME_PARTS.map(
      ({ name, version, license, copyright }) =>
        `  ${name}${version ? ` ${version}` : ''}: ${license}. Copyright: ${copyright}`,
    ),
    'This software is based in part on the work of the Independent JPEG Group.',
    'The sources are at https://github.com/oven-sh/bun, https://github.com/oven-sh/WebKit and https://github.com/oven-sh/tinycc.',
    'To use a changed library, build the runtime from them, and then this program with it: bun build/run.ts',
  ].join('\n');

const runtimeTexts = (): string[] =>
  [...new Set(RUNTIME_PARTS.flatMap(({ license }) => licenseIds(license)))].sort().map((id) => {
    const text = SPDX[id]?.licenseText;
    if (!text) throw new Error(`the text of the licence ${id} is not known`);
    return `${id}, for the parts of the runtime under it\n\n${text.trim()}`;
  });

export const licensesOf = (modules: Iterable<string>): string => {
  const byText = new Map<string, string[]>();
  for (const place of packagesOf(modules)) {
    const { version, license = 'no licence' } = lockedPackage(place);
    const text = textOf(place) ?? (NO_TEXT.includes(license) ? `${license}: no notice is required.` : undefined);
    if (text === undefined) throw new Error(`${place} has no licence text`);
    byText.set(text, [...(byText.get(text) ?? []), `${nameOf(place)} ${version} (${license})`]);
  }
  const own = `Pet Store\n\n${readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim()}`;
  return [
    own,
    runtimeText(),
    ...runtimeTexts(),
    ...[...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`),
  ].join(RULE);
};

export const readLicenses = async (): Promise<string> => licensesOf(await findModules());
