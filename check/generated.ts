import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReliabilityPage } from '../prove/reliability-page.ts';
import { createClientOperations, createClientSchemas } from './client-operations.ts';
import { createConfigPage } from './config-page.ts';
import { createDashboard } from './dashboard.ts';
import { createErrorsPage } from './errors-page.ts';
import { createOpenapi } from './openapi.ts';
import { ROOT } from './root.ts';

/** Files that are committed and never written by hand. */
const GENERATED: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(createOpenapi(), null, 1)}\n`,
  'deploy/grafana/petstore.json': createDashboard,
  'docs/config.md': createConfigPage,
  'docs/errors.md': createErrorsPage,
  'docs/reliability.md': createReliabilityPage,
  'client/src/generated/schemas.ts': createClientSchemas,
  'client/src/generated/operations.ts': createClientOperations,
};

export const writeGenerated = (): string[] =>
  Object.entries(GENERATED).map(([path, create]) => {
    writeFileSync(join(ROOT, path), create());
    return path;
  });

/** What is wrong with the committed copies. */
export const findStale = (): string[] =>
  Object.entries(GENERATED).flatMap(([path, create]) => {
    const file = join(ROOT, path);
    const fresh = existsSync(file) && readFileSync(file, 'utf8') === create();
    return fresh ? [] : [`${path} is stale: run \`npm run generate\` and commit it`];
  });
