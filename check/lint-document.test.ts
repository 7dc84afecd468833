import { expect, test } from 'bun:test';
import { createOpenapi } from '../generate/openapi/document.ts';
import { lintDocument } from './lint-document.ts';

test('the linter finds a duplicate operation id and a missing license', async () => {
  const document = structuredClone<Record<string, any>>(createOpenapi());
  document.paths['/pets'].get.operationId = 'createPet';
  delete document.info.license;
  const faults = await lintDocument(document);
  expect(faults).toEqual([
    expect.stringContaining('(info-license)'),
    expect.stringContaining('(operation-operationId-unique)'),
  ]);
});
