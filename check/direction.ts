import { posix } from 'node:path';

export type Sources = ReadonlyMap<string, string>;

/**
 * A resource may import the domain files and the repository interfaces of the resources that come before it in this
 * list.
 */
const RESOURCES = [
  'cluster',
  'idempotency',
  'limits',
  'stores',
  'keys',
  'categories',
  'pets',
  'usage',
  'orders',
  'events',
  'webhooks',
  'health',
  'sandbox',
];

const PART_OF: Record<string, string> = { auth: 'keys', streaming: 'events', delivery: 'webhooks' };

type Kind = keyof typeof MAY_IMPORT;

const OPERATION_MAY_IMPORT = [
  'kernel',
  'own domain',
  'earlier domain',
  'own repository',
  'earlier repository',
  'own contract',
  'own operation',
];

/**
 * For each kind of file, lists the kinds that it may import. Type imports count as imports. `own` means the same
 * resource, and `earlier` means a resource that is listed earlier in `RESOURCES`.
 */
const MAY_IMPORT = {
  kernel: ['kernel'],
  domain: ['kernel', 'own domain', 'earlier domain'],
  contract: ['kernel', 'own domain', 'earlier domain'],
  repository: ['kernel', 'own domain', 'earlier domain'],
  operation: OPERATION_MAY_IMPORT,
  operations: OPERATION_MAY_IMPORT,
  engine: ['kernel', 'own domain', 'own repository', 'own engine'],
  sql: [
    'kernel',
    'own domain',
    'earlier domain',
    'own repository',
    'own sql',
    'src/storage/sql.ts',
    'src/storage/page.sql.ts',
    'src/storage/insert-rows.sql.ts',
    'src/storage/add-deliveries.sql.ts',
  ],
  http: ['kernel', 'http', 'site', 'limits domain'],
  // Only `site` may import the generators. In the executable, the generated files replace `site`.
  site: ['kernel', 'http', 'generate', 'build/licenses.ts'],
  storage: ['kernel', 'version', 'storage'],
  contracts: ['kernel', 'domain', 'operations'],
  config: ['kernel', 'domain', 'src/http/input/client-address.ts', 'cli/args/variables.ts'],
  version: [],
  cli: ['kernel', 'cli', 'rows', 'contracts', 'config', 'client', 'src/delivery/signature.ts'],
  rows: ['rows', 'client/src/json.ts', 'src/kernel/json.ts'],
  client: ['client'],
  console: ['console', 'client', 'rows'],
  mcp: ['kernel', 'version', 'contracts', 'http', 'mcp', 'cli/args/suggest.ts'],
  compose: [
    'kernel',
    'mcp',
    'version',
    'config',
    'contracts',
    'contract',
    'domain',
    'repository',
    'operation',
    'operations',
    'engine',
    'sql',
    'storage',
    'http',
    'compose',
  ],
  ops: [
    'kernel',
    'version',
    'config',
    'cli',
    'ops',
    'src/compose/compose.ts',
    'src/http/server.ts',
    'src/limits/redis/diagnose.redis.ts',
    'src/mcp/stdio.ts',
    'src/storage/maintenance.ts',
    'src/storage/unusable.ts',
  ],
  entry: ['kernel', 'version', 'config', 'cli', 'ops', 'src/http/pages/site.ts', 'src/storage/unusable.ts'],
  generate: ['kernel', 'version', 'config', 'contracts', 'http', 'cli', 'generate', 'prove/reliability-page.ts'],
  test: ['anything'],
} satisfies Record<string, readonly string[]>;

const OUTSIDE_RESOURCES = ['cluster', 'idempotency', 'limits', 'limits/redis', ...Object.keys(PART_OF)];

const KINDS: [pattern: string, kind: Kind][] = [
  ['**.test.ts', 'test'],
  ['**.suite.ts', 'test'],
  ['src/main.ts', 'entry'],
  ['src/config.ts', 'config'],
  ['src/contracts.ts', 'contracts'],
  ['src/version.ts', 'version'],
  ['src/ops/**', 'ops'],
  ['src/compose/**', 'compose'],
  ['src/kernel/**', 'kernel'],
  ['src/http/pages/site.ts', 'site'],
  ['src/http/**', 'http'],
  ['src/storage/**', 'storage'],
  ['cli/rows/**', 'rows'],
  ['cli/**', 'cli'],
  ['generate/**', 'generate'],
  ['src/mcp/**', 'mcp'],
  ['console/**', 'console'],
  ['client/**', 'client'],
  ['src/resources/webhooks/event-visibility.ts', 'domain'],
  ['src/limits/open-limiter.ts', 'engine'],
  ...['dispatcher', 'send-due', 'schedule', 'host-budget'].map((name): [string, Kind] => [
    `src/delivery/${name}.ts`,
    'engine',
  ]),
  ...['src/resources/*', ...OUTSIDE_RESOURCES.map((folder) => `src/${folder}`)].flatMap((folder): [string, Kind][] => [
    [`${folder}/*.contract.ts`, 'contract'],
    [`${folder}/*.contracts.ts`, 'contract'],
    [`${folder}/*.sql.ts`, 'sql'],
    [`${folder}/*.repository.ts`, 'repository'],
    [`${folder}/*.memory.ts`, 'engine'],
    [`${folder}/*.redis.ts`, 'engine'],
    [`${folder}/operations.ts`, 'operations'],
    [`${folder}/*-*.ts`, 'operation'],
    [`${folder}/*.ts`, 'domain'],
  ]),
];

/** Only these files may use Bun's own APIs. Keeping the list short makes it easier to move to another runtime. */
const BUN_ONLY = [
  'cli/output/text.ts',
  'src/storage/sqlite/connection.ts',
  'src/http/server.ts',
  'src/kernel/builtins.ts',
  'src/ops/libc.ts',
];

const KIND_PATTERNS = KINDS.map(([pattern, kind]) => ({
  pattern: new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('**', '.+').replaceAll('*', '[^/]+')}$`),
  kind,
}));

const kindOf = (path: string): Kind | undefined => KIND_PATTERNS.find(({ pattern }) => pattern.test(path))?.kind;

const resourceOf = (path: string): number => {
  const folder = /^src\/(?:resources\/)?([^/]+)\//.exec(path)?.[1] ?? '';
  return RESOURCES.indexOf(PART_OF[folder] ?? folder);
};

const withoutComments = (text: string): string => text.replaceAll(/^\s*(\/\/|\/\*|\*).*$/gm, '');

const IMPORTS = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\b(?:import|require)\s*\(\s*['"]([^'"]+)['"]/g,
];

const importsOf = (text: string): string[] =>
  IMPORTS.flatMap((pattern) =>
    [...withoutComments(text).matchAll(pattern)].map(([, specifier]) => specifier as string),
  );

const resolve = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier);

const allows = (entry: string, from: string, to: string): boolean => {
  const [first = '', kind] = entry.split(' ');
  if (entry === 'anything' || entry === to) return true;
  if (kind === undefined) return kindOf(to) === first;
  if (kindOf(to) !== kind) return false;
  if (first === 'own') return resourceOf(to) === resourceOf(from);
  if (first === 'earlier') return resourceOf(to) < resourceOf(from);
  return resourceOf(to) === RESOURCES.indexOf(first);
};

const importFault = (from: string, to: string, sources: Sources): string | undefined => {
  const kind = kindOf(from) as Kind;
  if (kind === 'test') return undefined;
  if (!/\.tsx?$/.test(to)) return undefined;
  const allowed: readonly string[] = MAY_IMPORT[kind];
  if (!sources.has(to) && !allowed.includes(to)) return 'this file does not exist';
  if (kindOf(to) === 'entry') return 'nothing may import an entry';
  if (kindOf(to) === 'test') return 'only tests may import tests';
  if (allowed.some((entry) => allows(entry, from, to))) return undefined;
  return `a file of kind "${kind}" may import ${allowed.join(', ')}; this is of kind "${kindOf(to) ?? 'unknown'}"`;
};

const fileFaults = (path: string, text: string, sources: Sources): string[] => {
  const kind = kindOf(path);
  if (!kind) return [`${path} has no kind: add its folder to check/direction.ts`];
  const specifiers = importsOf(text);
  const faults = specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .flatMap((specifier) => {
      const to = resolve(path, specifier);
      const fault = importFault(path, to, sources);
      return fault ? [`${path} imports ${to}: ${fault}`] : [];
    });
  const speaksBun =
    specifiers.some((specifier) => /^bun(:|$)/.test(specifier)) || /\bBun\./.test(withoutComments(text));
  if (speaksBun && kind !== 'test' && kind !== 'generate' && !BUN_ONLY.includes(path)) {
    faults.push(`${path} uses Bun's own API: only ${BUN_ONLY.join(' and ')} may`);
  }
  return faults;
};

const findCycles = (sources: Sources): string[] => {
  const targets = new Map(
    [...sources].map(([path, text]) => [path, importsOf(text).map((specifier) => resolve(path, specifier))]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) walk(path, []);
  return cycles;
};

export const findDirectionFaults = (sources: Sources): string[] => [
  ...[...sources].flatMap(([path, text]) => fileFaults(path, text, sources)),
  ...findCycles(sources),
];
