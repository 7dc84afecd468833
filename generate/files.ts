import { createReliabilityPage } from '../prove/reliability-page.ts';
import { createClientOperations, createClientSchemas } from './client/operations.ts';
import { bashScript } from './completion/bash.ts';
import { collectCompletable } from './completion/completion.ts';
import { fishScript } from './completion/fish.ts';
import { zshScript } from './completion/zsh.ts';
import { createDashboard } from './dashboard.ts';
import { createConfigPage } from './docs/config-page.ts';
import { createErrorsPage } from './docs/errors-page.ts';
import { createToolFile } from './mcp-tools.ts';
import { createOpenapi } from './openapi/document.ts';

export const FILES: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(createOpenapi(), null, 1)}\n`,
  'cli/completion/bash.txt': () => bashScript(collectCompletable()),
  'cli/completion/fish.txt': () => fishScript(collectCompletable()),
  'cli/completion/zsh.txt': () => zshScript(collectCompletable()),
  'deploy/grafana/petstore.json': createDashboard,
  'docs/config.md': createConfigPage,
  'docs/errors.md': createErrorsPage,
  'docs/reliability.md': createReliabilityPage,
  'src/mcp/tools.json': createToolFile,
  'client/src/generated/schemas.ts': createClientSchemas,
  'client/src/generated/operations.ts': createClientOperations,
};
