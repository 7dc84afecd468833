import { contractsIn } from '../../src/contracts.ts';
import { loadDocument } from '../../src/http/pages/document.ts';
import type { Site } from '../../src/http/pages/site-file.ts';
import type { Environment } from '../../src/kernel/contract.ts';
import type { OpenapiDocument } from '../openapi/resolve.ts';
import { ASSETS } from './assets.ts';
import { errorsPage } from './errors.html.ts';
import { homePage } from './home.html.ts';
import { referencePage } from './reference.html.ts';

export const renderDocs = (environment: Environment): Site => {
  const contracts = contractsIn(environment);
  const source = { contracts, environment };
  const document = async () => (await loadDocument(contracts)) as object as OpenapiDocument;
  return new Map<string, () => string | Promise<string>>([
    ['/', () => homePage(environment)],
    ['/docs', async () => referencePage({ ...source, document: await document() })],
    ['/docs/errors', () => errorsPage(source)],
    ['/openapi.json', async () => JSON.stringify(await document())],
    ...ASSETS.map(({ name, text }): [string, () => string] => [`/docs/${name}`, () => text]),
  ]);
};
