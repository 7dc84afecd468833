import { renderConsole } from '../generate/console.ts';
import { renderDocs } from '../generate/reference/site.ts';
import { packFile, type Site, textOf } from '../src/http/pages/site-file.ts';
import { ENVIRONMENTS } from '../src/kernel/contract.ts';

const inBase64 = (bytes: Uint8Array): string => `Uint8Array.fromBase64('${bytes.toBase64()}')`;

/** Wraps the file in a function, so that the file takes up no memory until the service needs it. */
const functionOf = async (text: string): Promise<string> => {
  const { hash, br, gzip } = await packFile(text);
  return `() => ({ hash: '${hash}', br: ${inBase64(br)}, gzip: ${inBase64(gzip)} })`;
};

export const siteModule = async (consoleBundle: Bun.BuildOutput, licenses: string): Promise<string> => {
  const functions = new Map<string, { name: string; source: string }>();
  const nameOf = async (text: string): Promise<string> => {
    const known = functions.get(text) ?? { name: `file${functions.size}`, source: await functionOf(text) };
    functions.set(text, known);
    return known.name;
  };
  const listOf = async (site: Site): Promise<string> => {
    const entries: string[] = [];
    for (const [path, make] of site) entries.push(`['${path}', ${await nameOf(await textOf(await make()))}]`);
    return `new Map([${entries.join(', ')}])`;
  };
  const loaders: string[] = [];
  for (const environment of ENVIRONMENTS) {
    const console = await renderConsole(environment, Promise.resolve(consoleBundle));
    loaders.push(
      `${environment}: { docs: ${await listOf(renderDocs(environment))}, console: ${await listOf(console)} },`,
    );
  }
  return [
    ...[...functions.values()].map(({ name, source }) => `const ${name} = ${source};`),
    `const SITES = {${loaders.join('\n')}};`,
    'export const loadDocs = async (environment) => SITES[environment].docs;',
    `export const loadLicenses = async () => ${JSON.stringify(licenses)};`,
    'export const loadConsole = async (environment) => SITES[environment].console;',
  ].join('\n');
};
