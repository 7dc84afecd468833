import type { Page } from '../../client/src/index.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { inOneLine } from '../../src/kernel/log.ts';
import type { CommandResult } from '../args/invocation.ts';
import type { Arguments } from '../args/read-arguments.ts';
import type { Client } from '../commands/connection.ts';
import { OUTPUT } from '../messages.ts';
import { expectRows, type Row } from './columns.ts';
import { chooseView, result, showRows, toJsonLine, toLines } from './show-answer.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './text.ts';

type Request = { path: string; query: Record<string, string> };

export const LARGEST_PAGE = '100';

const continues = ({ cursor }: Page<Row>, { columns }: Terminal): string[] =>
  cursor === undefined ? [] : [visible(OUTPUT.nextPage(cursor, columns !== undefined))];

export async function* walk(first: Page<Row>): AsyncGenerator<Row[], void> {
  for (let page: Page<Row> | undefined = first; page; page = await page.next()) yield expectRows(page.items);
}

const printAll = async (first: Page<Row>, isLines: boolean, terminal: Terminal): Promise<CommandResult> => {
  let isFirst = true;
  for await (const rows of walk(first)) {
    if (rows.length === 0) continue;
    if (isLines) await terminal.print(`${toLines(rows)}\n`);
    else await terminal.print((isFirst ? '[' : ',') + rows.map(toJsonLine).join(','));
    isFirst = false;
  }
  return isLines ? result(undefined) : result(isFirst ? '[]' : ']');
};

export const showPages = async (
  client: Client,
  { path, query }: Request,
  contract: Contract,
  given: Arguments,
  terminal: Terminal,
): Promise<CommandResult> => {
  const { switches } = given;
  const isAll = switches.has('all');
  const [isJson, isLines] = [switches.has('json'), switches.has('ndjson')];
  const choice = chooseView(contract, given, terminal);
  const first = await client.list<Row>({ path, query: isAll ? { limit: LARGEST_PAGE, ...query } : query }).page();
  if (isAll && (isJson || isLines)) return printAll(first, isLines, terminal);
  if (isJson) return result(inOneLine(first.response.text), continues(first, terminal));
  if (isLines)
    return result(first.items.length > 0 ? toLines(expectRows(first.items)) : undefined, continues(first, terminal));
  const rows = isAll ? (await Array.fromAsync(walk(first))).flat() : expectRows(first.items);
  return showRows(rows, choice, terminal, isAll ? [] : continues(first, terminal));
};
