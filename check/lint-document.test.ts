import { expect, test } from 'bun:test';
import { lintDocument } from './lint-document.ts';
import { createOpenapi } from './openapi.ts';

test('the linter finds a name that is given twice, and a license that is missing', async () => {
  const document = structuredClone<Record<string, any>>(createOpenapi());
  document.paths['/pets'].get.operationId = 'createPet';
  delete document.info.license;
  const faults = await lintDocument(document);
  expect(faults).toEqual([
    expect.stringContaining('(info-license)'),
    expect.stringContaining('(operation-operationId-unique)'),
  ]);
});
