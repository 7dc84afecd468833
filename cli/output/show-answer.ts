import type { z } from 'zod';
import type { WithResponse } from '../../client/src/index.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { inOneLine } from '../../src/kernel/log.ts';
import { jsonInteger } from '../../src/kernel/schema.ts';
import type { CommandResult } from '../args/invocation.ts';
import type { Arguments } from '../args/read-arguments.ts';
import { isList } from '../commands/command.ts';
import { KEYS, OUTPUT } from '../messages.ts';
import { chooseColumns, columnsOf, expectRows, expectThing, type Row } from './columns.ts';
import { type Choice, showList, showThing } from './table.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './text.ts';

export const toJsonLine = (value: unknown): string =>
  inOneLine(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? jsonInteger(inner) : inner)));

export const chooseView = (contract: Contract, { values, switches }: Arguments, { columns }: Terminal): Choice => {
  const { fields, view } = columnsOf((contract.answer.body as z.ZodArray<z.ZodType>).element);
  const names = values.get('columns');
  if (names !== undefined)
    return { columns: chooseColumns(view, names, `petstore ${contract.command} --help`), isWhole: true };
  return columns === undefined ? { columns: fields, isWhole: true } : { columns: view, isWhole: switches.has('wide') };
};

export const result = (out: string | undefined, notes: readonly string[] = []): CommandResult => {
  return { exitCode: 0, out, err: notes.length > 0 ? notes.join('\n') : undefined };
};

export const showRows = (rows: readonly Row[], choice: Choice, terminal: Terminal, notes: readonly string[] = []) => {
  const { text, hidden } = showList(rows, choice, terminal);
  return result(text, [...(hidden > 0 ? [OUTPUT.hiddenColumns(hidden)] : []), ...notes]);
};

export const toLines = (rows: readonly unknown[]): string => rows.map(toJsonLine).join('\n');

const secretOf = (data: unknown): string | undefined =>
  ['key', 'secret'].find((field) => typeof (data as Row)[field] === 'string');

const keepIt = (shown: CommandResult, data: unknown, { columns }: Terminal, isJson: boolean): CommandResult => {
  const name = secretOf(data);
  if (!name) return shown;
  return { ...shown, ...(columns !== undefined && !isJson ? { err: KEYS.shownOnce(name) } : {}), isSecret: true };
};

const done = ({ answer }: Contract, { positions, switches }: Arguments): CommandResult => {
  const subject = positions.length > 0 ? `: ${positions.join(' ')}` : '.';
  return result(switches.has('json') ? undefined : visible(`${answer.description.replace(/\.$/, '')}${subject}`));
};

export const showAnswer = (
  { data, response }: WithResponse<unknown>,
  contract: Contract,
  given: Arguments,
  terminal: Terminal,
): CommandResult => {
  if (data === undefined) return done(contract, given);
  if (given.switches.has('ndjson')) return result(toLines(expectRows(data)));
  if (given.switches.has('json')) return keepIt(result(inOneLine(response.text)), data, terminal, true);
  if (isList(contract)) return showRows(expectRows(data), chooseView(contract, given, terminal), terminal);
  const body = expectThing(data);
  const { fields } = columnsOf(contract.answer.body as z.ZodType);
  return keepIt(result(showThing(body, fields, terminal)), body, terminal, false);
};
