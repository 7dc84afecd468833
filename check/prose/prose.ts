import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import { ROOT } from '../root.ts';
import { readSources } from '../sources.ts';
import { createProseRule, type Tally } from './rules.ts';
import { passagesOf } from './source.ts';
import { SOURCE_EXTENSIONS, sourcePlugin } from './source-plugin.ts';
import { surfaceOf } from './surfaces.ts';
import { GOAL_WORDS } from './words.ts';

const FOLDERS = ['bench', 'build', 'check', 'cli', 'client', 'console', 'deploy', 'generate', 'prove', 'src', 'test'];
const NOT_OURS = /\/(?:generated|node_modules|dist)\//;

export const readProse = (): Map<string, string> => {
  const pages = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  return new Map(
    [
      ...pages.map((name): [string, string] => [name, readFileSync(join(ROOT, name), 'utf8')]),
      ...readSources(['docs', 'client'], ['.md']),
      ...readSources(FOLDERS, SOURCE_EXTENSIONS),
    ].filter(([path]) => !NOT_OURS.test(path)),
  );
};

export const listSurface = (surface: string, files: ReadonlyMap<string, string>): string[] =>
  [...files]
    .filter(([path]) => !path.endsWith('.md'))
    .flatMap(([path, text]) =>
      passagesOf(path, text)
        .filter((passage) => surfaceOf(path, passage) === surface)
        .map(({ parts }) => {
          const line = text.slice(0, parts[0]?.start).split('\n').length;
          const shown = parts.map((part) => part.text).join('');
          return `${path}:${line}: ${shown.replaceAll(/\s+/g, ' ').trim()}`;
        }),
    );

const PLUGINS = [
  { pluginId: 'markdown', plugin: markdownPlugin },
  { pluginId: 'source', plugin: sourcePlugin },
];

export type Prose = { faults: string[]; figures: string };

const share = (part: number, whole: number): string => `${((100 * part) / (whole || 1)).toFixed(1)} %`;

export const lintProse = async (files: ReadonlyMap<string, string>): Promise<Prose> => {
  const kernel = new TextlintKernel();
  const tally: Tally = { sentences: 0, long: 0, passive: 0 };
  const rules = [{ ruleId: 'prose', rule: createProseRule(tally) }];
  const faults: string[] = [];
  for (const [path, text] of files) {
    const options = { filePath: path, ext: extname(path), plugins: PLUGINS, rules };
    const { messages } = await kernel.lintText(text, options);
    faults.push(...messages.map(({ line, message }) => `${path}:${line}: ${message}`));
  }
  const { sentences, long, passive } = tally;
  const figures = [
    `${files.size.toLocaleString('en')} files`,
    `${sentences.toLocaleString('en')} sentences`,
    `${share(long, sentences)} over ${GOAL_WORDS} words`,
    `${share(passive, sentences)} passive`,
  ];
  return { faults, figures: figures.join(', ') };
};
