import { codeLines, readDocument } from './documents.ts';

export const curlLines = (path: string): string[] =>
  codeLines(readDocument(path)).filter((line) => line.startsWith('curl ') && !line.includes('…'));

const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');

export const readCurl = (line: string, variables: Record<string, string>) => {
  const filled = line.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? `$${name}`);
  const [command = '', comment] = filled.split(/ +# /);
  const [, ...given] = words(command);
  const headers: Record<string, string> = {};
  const request: { method?: string; url?: URL; body?: string } = {};
  for (let word = given.shift(); word !== undefined; word = given.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (given.shift() ?? '').split(': ');
      headers[name] = value;
    } else if (word === '-d') request.body = given.shift() ?? '';
    else if (word === '-X') request.method = given.shift() ?? '';
    else if (word.startsWith('http://127.0.0.1:8080/')) request.url = new URL(word);
    else if (!['-i', '-N'].includes(word)) throw new Error(`unknown option ${word} in: ${line}`);
  }
  const { method = request.body === undefined ? 'GET' : 'POST', body, url } = request;
  return { method, path: `${url?.pathname}${url?.search}`, headers, body, comment };
};
