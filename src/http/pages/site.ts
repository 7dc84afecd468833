import type { Environment } from '../../kernel/contract.ts';
import type { Site } from './site-file.ts';

// The only module of the service that imports `generate/`: from source, files are generated for their first reader. The
// built file has this module's place taken by the generated files (`build/site.ts`).

export const loadDocs = async (environment: Environment): Promise<Site> =>
  (await import('../../../generate/reference/site.ts')).renderDocs(environment);

export const loadConsole = async (environment: Environment): Promise<Site> =>
  (await import('../../../generate/console.ts')).renderConsole(environment);
