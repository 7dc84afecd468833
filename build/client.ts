import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';

const SOURCE = join(ROOT, 'client');

const bundle = async (dist: string, format: 'esm' | 'cjs', name: string): Promise<void> => {
  await Bun.build({
    entrypoints: [join(SOURCE, 'src', 'index.ts')],
    outdir: dist,
    format,
    naming: name,
    target: 'browser',
    sourcemap: 'linked',
  });
};

/**
 * Writes two sets of declarations, because TypeScript rejects CommonJS declarations for an ES module, and vice versa.
 */
const declare = (dist: string): void => {
  const command = [join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', SOURCE, '--outDir', dist];
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd: ROOT, stdout: 'pipe' });
  if (exitCode !== 0) throw new Error(`the client has no declarations: ${stdout}`);
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    const leadTo = (ending: string) => text.replaceAll(/(from '\.[^']*)\.ts'/g, `$1.${ending}'`);
    writeFileSync(path, leadTo('js'));
    writeFileSync(path.replace(/\.d\.ts$/, '.d.cts'), leadTo('cjs'));
  }
};

/**
 * In Node, one program may load this package both with `import` and with `require`. Both ways must return the same
 * classes, or `instanceof` would fail. Therefore, `import` loads `node.js`, which re-exports the classes from
 * `index.cjs`.
 */
const shareClasses = (dist: string): void => {
  const { exports: names } = new Bun.Transpiler({ loader: 'js' }).scan(readFileSync(join(dist, 'index.js'), 'utf8'));
  const lines = ["import client from './index.cjs';", '', `export const { ${names.join(', ')} } = client;`, ''];
  writeFileSync(join(dist, 'node.js'), lines.join('\n'));
};

export const buildClient = async (dist: string): Promise<void> => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await bundle(dist, 'esm', 'index.js');
  await bundle(dist, 'cjs', 'index.cjs');
  shareClasses(dist);
  declare(dist);
};

if (import.meta.main) {
  await buildClient(join(SOURCE, 'dist'));
  console.log('client/dist');
}
