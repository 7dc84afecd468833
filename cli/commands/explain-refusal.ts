import { wasNotSent } from '../../client/src/attempt.ts';
import { ConnectionLost, type FieldError, PetstoreError, RateLimited, TimedOut } from '../../client/src/index.ts';
import { tryTo } from '../../src/kernel/runtime.ts';
import type { Flag, RequestFlag } from '../args/flag.ts';
import { type CommandResult, REFUSED } from '../args/invocation.ts';
import { suggest } from '../args/suggest.ts';
import { SERVICE } from '../messages.ts';
import { visible } from '../output/text.ts';
import type { Command } from './command.ts';

/** `method` is the HTTP method of the refused request. It defaults to GET. */
type Described = Pick<Command, 'words' | 'positions'> & { method?: string; flags: readonly AnyFlag[] };

type AnyFlag = Flag & Partial<RequestFlag>;

type Given = ReadonlyMap<string, string>;

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) =>
      part
        .replaceAll(/(?:%[0-9a-f]{2})+/gi, (text) => tryTo(() => decodeURIComponent(text)) ?? text)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    );

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((name, index) => path[index] === name);

const flagsFor = ({ pointer, parameter }: FieldError, flags: readonly AnyFlag[]): AnyFlag[] => {
  if (parameter !== undefined) return flags.filter(({ place, path }) => place === 'query' && path?.[0] === parameter);
  if (pointer === undefined) return [];
  const at = pathOf(pointer);
  return flags.filter(
    ({ place, path = [], isOptionalPart }) =>
      place === 'body' && (startsWith(at, path) || (startsWith(path, at) && !isOptionalPart)),
  );
};

const guessValue = ({ flag, value, choices }: Flag, given: Given): string | undefined => {
  const text = given.get(flag);
  if (!choices || text === undefined) return undefined;
  const wrong = value === 'a,b' ? text.split(',').find((one) => !choices.includes(one.trim())) : text;
  const guess = wrong === undefined ? undefined : suggest(wrong.trim(), choices);
  return guess === wrong ? undefined : guess;
};

const fieldLine = (error: FieldError, flags: readonly AnyFlag[], given: Given): string => {
  const [only, ...others] = flagsFor(error, flags);
  if (!only) return `${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`;
  if (others.length === 0) return SERVICE.withGuess(`--${only.flag} ${error.detail}`, guessValue(only, given));
  const names = [only, ...others].map(({ flag }) => `--${flag}`);
  return `${names.join(' and ')} ${error.detail.replace(/^is /, 'are ')}`;
};

const NEXT: Record<string, string> = {
  missing_api_key: 'petstore login',
  invalid_api_key: 'petstore login',
  insufficient_scope: 'petstore keys me',
  store_full: 'petstore usage get',
  pet_not_available: 'petstore pets list --status available',
  route_not_found: 'petstore --help',
};

const explainSilence = (error: PetstoreError, url: string, method = 'GET'): string | undefined => {
  if (error.code === 'unexpected_answer') return SERVICE.notPetstore(url, error.status);
  if (!(error instanceof TimedOut || error instanceof ConnectionLost)) return undefined;
  if (error instanceof ConnectionLost && (wasNotSent(error.cause) || method === 'GET')) return SERVICE.unreachable(url);
  return method === 'GET' ? SERVICE.noResponse(url) : SERVICE.outcomeUnknown(url);
};

const nextStep = (error: PetstoreError, { words, positions }: Described): string => {
  if (error instanceof RateLimited) return SERVICE.tryAgain(error.retryAfterMs);
  if (error.code === 'not_found' && positions.length > 0) return `petstore ${words.split(' ')[0]} list`;
  return NEXT[error.code] ?? `petstore ${words} --help`;
};

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

export const refused = (error: unknown, command: Described, url: string, given: Given): CommandResult => {
  if (!(error instanceof PetstoreError)) throw error;
  const { code, status, requestId, fields } = error;
  const problem = { code, status, requestId, errors: fields.length > 0 ? fields : undefined };
  return { exitCode: REFUSED, err: explainRefusal(error, command, url, given), problem };
};
