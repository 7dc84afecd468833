import { ChevronDown, SquareTerminal } from 'lucide-react';
import { API_URL } from '../session/session.ts';
import { common, texts } from '../texts.ts';
import { Code } from './code.tsx';
import { showJson } from './text.ts';

type Props = { method: string; path: string; body?: object; code: string };

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlLine = (method: string, path: string, body?: object): string =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(API_URL + path)}`,
    '-H "Authorization: Bearer $API_KEY"',
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quote(showJson(body))}`] : []),
  ].join(' \\\n  ');

export const ApiCall = ({ method, path, body, code }: Props) => (
  <details className="api-call">
    <summary>
      <SquareTerminal className="icon" />
      {texts.kit.apiCall}
      <ChevronDown className="icon" />
    </summary>
    <Code text={curlLine(method, path, body)} what={common.copied.curl} />
    <Code text={code} what={common.copied.client} />
  </details>
);
