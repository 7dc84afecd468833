import { z } from 'zod';
import type { Schema } from '../../cli/args/json-schema.ts';
import { CONTRACTS } from '../../src/contracts.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import { PAGE_PARAMETERS } from '../../src/kernel/page.ts';
import { VERSION } from '../../src/version.ts';
import { commentOf, createTypes, type Definitions } from './schema-types.ts';

const HEAD = '// Generated from the contracts by `npm run generate`. Do not edit.\n\n';

const NOTHING = z.object({});

const LISTED = CONTRACTS.find(({ id }) => id === 'listEvents') as Contract;

const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const queryOf = ({ input, paged }: Contract) => ({ ...input.query, ...(paged ? PAGE_PARAMETERS : {}) });
const hasQuery = (contract: Contract): boolean => Object.keys(queryOf(contract)).length > 0;

const fieldOf = ([id, name]: readonly [string, string]): z.ZodType => {
  const body = CONTRACTS.find((contract) => contract.id === id)?.answer.body;
  const item = body instanceof z.ZodArray ? body.element : body;
  const object = item instanceof z.ZodLazy ? item._zod.innerType : item;
  const field = object instanceof z.ZodObject ? object.shape[name] : undefined;
  if (!field) throw new Error(`${id} returns no ${name}`);
  return field;
};

/** Callers choose these integers, which may therefore exceed 2^53. The service assigns all others, counting from 1. */
const CHOSEN = new Set<unknown>(
  (
    [
      ['createPet', 'categoryId'],
      ['getCategory', 'id'],
      ['getKey', 'storeId'],
      ['listAudit', 'storeId'],
    ] as const
  ).map(fieldOf),
);

const describeAll = () => {
  const schemas = CONTRACTS.flatMap((contract): [string, z.ZodType][] => [
    [`${contract.id} path`, z.object(contract.input.path ?? {})],
    [`${contract.id} query`, z.object(queryOf(contract))],
    [`${contract.id} body`, contract.input.body ?? NOTHING],
    [`${contract.id} answer`, (contract.stream ? LISTED.answer.body : contract.answer.body) ?? NOTHING],
  ]);
  const { properties, $defs } = z.toJSONSchema(z.object(Object.fromEntries(schemas)), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (CHOSEN.has(zodSchema)) jsonSchema.isChosen = true;
    },
  });
  const all = properties as Record<string, Schema>;
  return {
    definitions: ($defs ?? {}) as Definitions,
    part: ({ id }: Contract, name: 'path' | 'query' | 'body' | 'answer'): Schema => all[`${id} ${name}`] ?? {},
  };
};

const { definitions, part } = describeAll();
const types = createTypes(
  definitions,
  CONTRACTS.flatMap((contract) => [part(contract, 'path'), part(contract, 'query'), part(contract, 'body')]),
  CONTRACTS.map((contract) => part(contract, 'answer')),
);

const queryName = ({ id }: Contract): string => `${capital(id)}Query`;

const declareQuery = (contract: Contract): string =>
  `${commentOf(`Query parameters for \`${contract.command.replace(' ', '.')}\`.`)}export interface ${queryName(contract)} ${types.typeOf(part(contract, 'query'), 'input')}\n`;

export const createClientSchemas = (): string => {
  const codes = Object.keys(FAILURES).map((code) => `  | '${code}'`);
  return [
    `${HEAD}export const VERSION = '${VERSION}';\n`,
    `/** A 64-bit integer: a number up to 2^53, and a bigint beyond. */\nexport type Int64 = number | bigint;\n`,
    `/** Every error code. */\nexport type ErrorCode =\n${codes.join('\n')};\n`,
    ...types.declare(),
    ...CONTRACTS.filter(hasQuery).map(declareQuery),
  ].join('\n');
};

type Takes = 'body' | 'query' | 'list' | 'stream' | undefined;

const takesOf = (contract: Contract): Takes => {
  if (contract.stream) return 'stream';
  if (contract.paged) return 'list';
  if (contract.input.body) return 'body';
  return hasQuery(contract) ? 'query' : undefined;
};

const answerOf = (contract: Contract): string => {
  const body = contract.answer.body ? types.typeOf(part(contract, 'answer'), 'output') : 'void';
  const item = body.replace(/\[\]$/, '');
  if (contract.stream) return `AsyncGenerator<${item} & { type: Type }, void>`;
  return contract.paged ? `List<${item}>` : `Answer<${body}>`;
};

const argumentsOf = (contract: Contract): string[] => {
  const { input, guarded, stream } = contract;
  if (stream) return ['options?: StreamOptions<Type>'];
  const path = part(contract, 'path').properties ?? {};
  return [
    ...Object.entries(path).map(([name, schema]) => `${name}: ${types.typeOf(schema, 'input')}`),
    ...(input.body ? [`body${input.optionalBody ? '?' : ''}: ${types.typeOf(part(contract, 'body'), 'input')}`] : []),
    ...(hasQuery(contract) ? [`query?: ${queryName(contract)}`] : []),
    `options?: ${guarded ? 'GuardedOptions' : 'RequestOptions'}`,
  ];
};

const wordsOf = (contract: Contract): string => {
  const { summary, description, method, path, scope, stability, environment, deprecation } = contract;
  return [
    `${summary}. ${description}`,
    '',
    [
      `\`${method} ${path}\``,
      scope === 'any key' ? 'any key' : `needs \`${scope}\``,
      ...(stability ? [stability] : []),
      ...(environment ? [`${environment} only`] : []),
    ].join(' · '),
    ...(deprecation ? ['', `@deprecated Will be removed on ${deprecation.sunset.toISOString().slice(0, 10)}.`] : []),
  ].join('\n');
};

const nameOf = ({ command }: Contract): string => camel(command.slice(command.indexOf(' ') + 1));

const declareGroup = ([group, contracts]: [string, Contract[]]): string => {
  const methods = contracts.map((contract) => {
    const generic = contract.stream ? '<Type extends EventType = EventType>' : '';
    const declared = `  ${nameOf(contract)}${generic}(${argumentsOf(contract).join(', ')}): ${answerOf(contract)};\n`;
    return commentOf(wordsOf(contract), '  ') + declared;
  });
  return `export interface ${capital(group)}Operations {\n${methods.join('\n')}}\n`;
};

const tableRow = (contract: Contract): string => {
  const takes = takesOf(contract);
  return `    ${nameOf(contract)}: ['${contract.method}', '${contract.path}'${takes ? `, '${takes}'` : ''}],`;
};

export const createClientOperations = (): string => {
  const groups = [...Map.groupBy(CONTRACTS, ({ command }) => camel(command.slice(0, command.indexOf(' '))))];
  const declared = groups.map(declareGroup);
  const members = groups.map(([group]) => `  ${group}: ${capital(group)}Operations;`);
  const used = (text: string) =>
    Object.keys(definitions)
      .concat(CONTRACTS.map(queryName), 'Int64')
      .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      .sort();
  const text = declared.join('\n').replaceAll(/^ *(\/\*\*|\*).*$/gm, '');
  return [
    `${HEAD}import type { Answer } from '../answer.ts';`,
    `import type { List } from '../list.ts';`,
    `import type { GuardedOptions, RequestOptions } from '../options.ts';`,
    `import type { Method } from '../request.ts';`,
    `import type { StreamOptions } from '../stream.ts';`,
    `import type {\n${used(text)
      .map((name) => `  ${name},\n`)
      .join('')}} from './schemas.ts';\n`,
    declared.join('\n'),
    `/** All operations. */\nexport interface Operations {\n${members.join('\n')}\n}\n`,
    '/** Method, path, and the arguments that the function takes between the ids in the path and the options. */',
    `export type Operation = readonly [Method, string, ('body' | 'query' | 'list' | 'stream')?];\n`,
    'export const OPERATIONS: Record<keyof Operations, Record<string, Operation>> = {',
    ...groups.map(([group, contracts]) => `  ${group}: {\n${contracts.map(tableRow).join('\n')}\n  },`),
    '};\n',
  ].join('\n');
};
