import type { Environment } from '../../kernel/contract.ts';
import type { Site } from './site-file.ts';

// This is the only module of the service that may import `generate/`. If the service runs from source, the pages are
// generated when they are first requested. In the executable, `build/site.ts` replaces this module with the generated
// pages.

export const loadDocs = async (environment: Environment): Promise<Site> =>
  (await import('../../../generate/reference/site.ts')).renderDocs(environment);

export const loadConsole = async (environment: Environment): Promise<Site> =>
  (await import('../../../generate/console.ts')).renderConsole(environment);

export const loadLicenses = async (): Promise<string> => (await import('../../../build/licenses.ts')).readLicenses();
