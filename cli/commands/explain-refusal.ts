import { ConnectionLost, type FieldError, type PetstoreError, RateLimited, TimedOut } from '../../client/src/index.ts';
import type { Flag, RequestFlag } from '../args/flag.ts';
import { suggest } from '../args/suggest.ts';
import { visible } from '../output/text.ts';
import type { Command } from './command.ts';

/** The refused command. */
type Described = Pick<Command, 'words' | 'positions'> & { method: string; flags: readonly RequestFlag[] };

type Given = ReadonlyMap<string, string>;

/** Leaves invalid UTF-8 unchanged. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parses `#/limits/perMinute` to `['limits', 'perMinute']` (RFC 6901). */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) =>
      part
        .replaceAll(/(?:%[0-9a-f]{2})+/gi, decode)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    );

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((name, index) => path[index] === name);

/** Finds the flags for an invalid field. A field with parts has several. */
const flagsFor = ({ pointer, parameter }: FieldError, flags: readonly RequestFlag[]): RequestFlag[] => {
  if (parameter !== undefined) return flags.filter(({ place, path }) => place === 'query' && path[0] === parameter);
  if (pointer === undefined) return [];
  const at = pathOf(pointer);
  const isMeant = ({ place, path, isOptionalPart }: RequestFlag): boolean =>
    place === 'body' && (startsWith(at, path) || (startsWith(path, at) && !isOptionalPart));
  return flags.filter(isMeant);
};

/** Suggests a value where a flag has a few choices. */
const meant = ({ flag, value, choices }: Flag, given: Given): string => {
  const text = given.get(flag);
  if (!choices || text === undefined) return '';
  const wrong = value === 'a,b' ? text.split(',').find((one) => !choices.includes(one.trim())) : text;
  const guess = wrong === undefined ? undefined : suggest(wrong.trim(), choices);
  return guess === undefined || guess === wrong ? '' : `; did you mean ${guess}?`;
};

const fieldLine = (error: FieldError, flags: readonly RequestFlag[], given: Given): string => {
  const found = flagsFor(error, flags);
  const name = found.map(({ flag }) => `--${flag}`).join(' and ');
  const [only] = found;
  if (!only) return `${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`;
  return `${name} ${error.detail}${found.length === 1 ? meant(only, given) : ''}`;
};

/** What to type next, by error code. The default is the command's help. */
const NEXT: Record<string, string> = {
  missing_api_key: 'petstore login',
  invalid_api_key: 'petstore login',
  insufficient_scope: 'petstore keys me',
  store_full: 'petstore usage get',
  pet_not_available: 'petstore pets list --status available',
  route_not_found: 'petstore --help',
};

const unknownOutcome = (url: string, method: string): string =>
  method === 'GET'
    ? `no answer came from ${url}`
    : `the answer of ${url} was lost: whether it was done is not known; look before you do it again`;

/** Error texts of several runtimes when nothing listens. */
const NOT_SENT = /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN/;

/** Explains a missing reply, or a reply from another service. */
const explainSilence = (error: PetstoreError, url: string, method: string): string | undefined => {
  if (error.code === 'unexpected_answer')
    return `what answers at ${url} is no petstore service (status ${error.status ?? 'none'})`;
  if (error instanceof TimedOut) return unknownOutcome(url, method);
  if (!(error instanceof ConnectionLost)) return undefined;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return NOT_SENT.test(String(code)) || method === 'GET'
    ? `cannot reach ${url}; is the service running? (PETSTORE_URL or --url says where)`
    : unknownOutcome(url, method);
};

const waitOf = ({ retryAfterMs = 0 }: PetstoreError): string =>
  retryAfterMs > 0 ? `, in ${Math.ceil(retryAfterMs / 1000)} s` : '';

const nextStep = (error: PetstoreError, { words, positions }: Described): string => {
  if (error instanceof RateLimited)
    return `again${waitOf(error)}; petstore usage --help tells how to see where you stand`;
  if (error.code === 'not_found' && positions.length > 0) return `petstore ${words.split(' ')[0]} list`;
  return NEXT[error.code] ?? `petstore ${words} --help`;
};

/** Explains a refusal in terms of flags, with one command to try. */
export const explainRefusal = (error: PetstoreError, command: Described, url: string, given: Given): string => {
  const silence = explainSilence(error, url, command.method);
  if (silence) return visible(`petstore: ${silence}`);
  const { code, requestId, status = 0, fields } = error;
  const where = status >= 500 && requestId ? `, request ${requestId}` : '';
  const lines =
    fields.length > 0
      ? fields.map((field) => fieldLine(field, command.flags, given))
      : [`${error.message} (${code}${where})`];
  return [...lines.map((line) => `petstore: ${line}`), `Try: ${nextStep(error, command)}`].map(visible).join('\n');
};
