import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenapi } from '../generate/openapi/document.ts';
import { VERSION } from '../src/version.ts';
import { findBreaks } from './breaks.ts';
import { frozenSchemas } from './frozen-schema.ts';
import { ROOT } from './root.ts';

const FOLDER = 'docs/releases';

const findFrozen = (pattern: RegExp): string[] => readdirSync(join(ROOT, FOLDER)).filter((name) => pattern.test(name));

/** Replaces the OpenAPI document and the schema of the last release. Returns the paths of the new files. */
export const writeRelease = (): string[] => {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const name of findFrozen(/^(openapi|schema)-\d+\.\d+\.\d+\./)) rmSync(join(ROOT, FOLDER, name));
  const document = [`openapi-${VERSION}.json`, `${JSON.stringify(createOpenapi())}\n`] as const;
  return [document, ...frozenSchemas(VERSION)].map(([name, text]) => {
    writeFileSync(join(ROOT, FOLDER, name), text);
    return `${FOLDER}/${name}`;
  });
};

/**
 * These findings are not breaking changes: the last release already enforced these constraints, but its OpenAPI
 * document did not state them.
 */
const CORRECTIONS = [
  'query cursor has the pattern ^[A-Za-z0-9_-]+$ (was undefined)',
  'header If-Match has the pattern ',
  'WebhookCreation in requests.url has the pattern ',
  'WebhookChange in requests.url has the pattern ',
  'WebhookChange in requests.keyId has the pattern ',
  ...['KeyCreation', 'KeyChange'].flatMap((name) => [
    `${name} in requests has if {"properties":{"limits":{}},"required":["limits"],`,
    `${name} in requests has then {"properties":{"plan":{"enum":["enterprise"]}},`,
  ]),
  'KeyCreation in requests has else {"properties":{"plan":{"enum":["free","pro","business"]}},',
];

export const exceptCorrections = (
  breaks: readonly string[],
  corrections: readonly string[] = CORRECTIONS,
): string[] => [
  ...breaks.filter((text) => !corrections.some((correction) => text.includes(correction))),
  ...corrections
    .filter((correction) => !breaks.some((text) => text.includes(correction)))
    .map((correction) => `check/release.ts: the correction "${correction}" is no longer needed`),
];

export const findReleaseBreaks = (): string[] => {
  const [name, ...others] = findFrozen(/^openapi-\d+\.\d+\.\d+\.json$/);
  if (!name || others.length > 0) return [`${FOLDER} must hold one document: run \`npm run release:document\``];
  const breaks = findBreaks(JSON.parse(readFileSync(join(ROOT, FOLDER, name), 'utf8')), createOpenapi());
  return exceptCorrections(breaks).map((text) => `${text} (${name}): /v1 may only change by addition`);
};
