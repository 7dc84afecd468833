import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const DOCUMENTS = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'client/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
].filter((path) => existsSync(join(ROOT, path)));

export const codeBlocks = (text: string): string[] =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);

export const codeSpans = (text: string): string[] =>
  [...text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);

export const codeLines = (text: string): string[] => [
  ...codeSpans(text),
  ...codeBlocks(text).flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n')),
];
