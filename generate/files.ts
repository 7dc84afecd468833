import { createReliabilityPage } from '../prove/reliability-page.ts';
import { createClientOperations, createClientSchemas } from './client/operations.ts';
import { createCompletion } from './completion/completion.ts';
import { createDashboard } from './dashboard.ts';
import { createConfigPage } from './docs/config-page.ts';
import { createErrorsPage } from './docs/errors-page.ts';
import { createOpenapi } from './openapi/document.ts';

/** Files that are committed and never written by hand. */
export const FILES: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(createOpenapi(), null, 1)}\n`,
  'cli/completion/bash.txt': () => createCompletion('bash'),
  'cli/completion/fish.txt': () => createCompletion('fish'),
  'cli/completion/zsh.txt': () => createCompletion('zsh'),
  'deploy/grafana/petstore.json': createDashboard,
  'docs/config.md': createConfigPage,
  'docs/errors.md': createErrorsPage,
  'docs/reliability.md': createReliabilityPage,
  'client/src/generated/schemas.ts': createClientSchemas,
  'client/src/generated/operations.ts': createClientOperations,
};
