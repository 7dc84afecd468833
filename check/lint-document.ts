import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createOpenapi } from '../generate/openapi/document.ts';

export const lintDocument = async (document: object): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [place] }) => `${place?.pointer}: ${message} (${ruleId})`);
};

export const findDocumentFaults = (): Promise<string[]> => lintDocument(createOpenapi());
