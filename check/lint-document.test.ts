import { expect, test } from 'bun:test';
import { createOpenapi } from '../generate/openapi/document.ts';
import { lintDocument } from './lint-document.ts';

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
