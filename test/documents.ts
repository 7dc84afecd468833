import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Everything written for people, by its path from the top of the repository. */
export const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'client/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
].filter((path) => existsSync(join(ROOT, path)));

/** The blocks of code of a document, without their fences. */
export const codeBlocks = (text: string): string[] =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);

/** The pieces of code within its lines. */
export const codeSpans = (text: string): string[] =>
  [...text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);

/** Every line of code in a document; a line that goes on after a backslash is one. */
export const codeLines = (text: string): string[] => [
  ...codeSpans(text),
  ...codeBlocks(text).flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n')),
];
