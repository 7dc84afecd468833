import { join } from 'node:path';
import type { Site } from '../src/http/pages/site-file.ts';
import type { Environment } from '../src/kernel/contract.ts';
import { THEME } from './reference/assets.ts';
import { framePage } from './reference/frame.html.ts';
import { html } from './reference/html.ts';

export const buildConsole = (): Promise<Bun.BuildOutput> =>
  Bun.build({
    entrypoints: [join(import.meta.dirname, '..', 'console', 'main.tsx')],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: { entry: '[name].[hash].[ext]', chunk: '[name].[hash].[ext]', asset: '[name].[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });

type File = { name: string; output: Bun.BuildArtifact };

const consolePage = (environment: Environment, files: readonly File[]): string => {
  const pathsOf = (isWanted: (file: File) => boolean) => files.filter(isWanted).map(({ name }) => `assets/${name}`);
  return framePage({
    title: 'Pet Store console',
    styles: pathsOf(({ name }) => name.endsWith('.css')),
    scripts: [`../docs/${THEME.name}`],
    modules: pathsOf(({ output }) => output.kind === 'entry-point'),
    attributes: html` data-environment="${environment}"`,
    body: html`<div id="console"></div>
<noscript>The console needs JavaScript. The <a href="../docs">API</a> can do everything that the console does.</noscript>`,
  });
};

export const renderConsole = async (environment: Environment, bundle = buildConsole()): Promise<Site> => {
  const { outputs } = await bundle;
  const files = outputs.map((output) => ({ name: output.path.replace(/^\.?\//, ''), output }));
  const page = consolePage(environment, files);
  return new Map([
    ['/console/', async () => page],
    ...files.map(({ name, output }): [string, () => Promise<string>] => [
      `/console/assets/${name}`,
      () => output.text(),
    ]),
  ]);
};
