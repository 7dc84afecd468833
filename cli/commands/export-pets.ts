import { rmSync } from 'node:fs';
import type { z } from 'zod';
import type { RequestFlag } from '../args/flag.ts';
import { type CommandResult, connectionOf, type Invocation } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { chooseFormat } from '../files/import-file.ts';
import { FILES, OUTPUT, pets } from '../messages.ts';
import { columnsOf, type Row } from '../output/columns.ts';
import { toJsonLine } from '../output/show-answer.ts';
import { LARGEST_PAGE, walk } from '../output/show-pages.ts';
import type { Terminal } from '../output/terminal.ts';
import { visible } from '../output/text.ts';
import { csvField, spreadsheetField } from '../rows/csv.ts';
import { type Format, formatOf } from '../rows/pet-rows.ts';
import { type Command, OPERATIONS } from './command.ts';
import { connect } from './connection.ts';
import { refused } from './explain-refusal.ts';

const { open, rename, rm } = process.getBuiltinModule('node:fs/promises');

/** Escapes names, which may contain terminal control characters. */
const inVisibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

type Print = (text: string) => Promise<void>;

/** Writes to a temporary file and renames it when complete, so that a partial file never has the final name. */
const withOutput = async <Result>(
  file: string | undefined,
  { print, columns, onInterrupt, showProgress }: Terminal,
  write: (print: Print) => Promise<Result>,
): Promise<Result> => {
  const isShown = columns !== undefined;
  if (file === undefined || file === '-') return write(isShown ? (text) => print(inVisibleLines(text)) : print);
  const partial = `${file}.part`;
  const output = await open(partial, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BadUsage(`--output: ${FILES.cannotWrite(partial, error)}`);
  });
  const isOver = onInterrupt(() => {
    rmSync(partial);
    showProgress('');
    return undefined;
  });
  let isWhole = false;
  try {
    const result = await write((text) => output.appendFile(text));
    await output.sync();
    isWhole = true;
    return result;
  } finally {
    await output.close();
    if (isWhole) await rename(partial, file);
    else await rm(partial);
    isOver();
  }
};

const fieldsOf = (): string[] => {
  const list = OPERATIONS.get('pets list')?.answer.body as z.ZodArray<z.ZodType>;
  return columnsOf(list.element).fields.map(({ name }) => name);
};

const queryOf = ({ flags }: Command, { values }: Arguments): Record<string, string> =>
  Object.fromEntries(
    (flags as RequestFlag[]).flatMap(({ flag, path }) => {
      const text = values.get(flag);
      return path?.[0] !== undefined && text !== undefined ? [[path[0], text]] : [];
    }),
  );

/** Writes all pets that match the filters. Memory use is bounded by one page. */
export const exportPets = async (
  command: Command,
  given: Arguments,
  invocation: Invocation,
): Promise<CommandResult> => {
  const { terminal } = invocation;
  const file = given.values.get('output');
  const format = chooseFormat(given.values.get('format'), () => formatOf(file ?? '', '{'));
  const writer = createWriter(format, fieldsOf(), given.switches.has('raw'));
  const connection = await connectionOf(command, given, invocation);
  const query = { limit: LARGEST_PAGE, ...queryOf(command, given) };
  let written = 0;
  try {
    await withOutput(file, terminal, async (print) => {
      await print(writer.start);
      const first = await connect(connection, terminal).list<Row>({ path: '/pets', query }).page();
      for await (const rows of walk(first)) {
        if (rows.length > 0) await print(writer.piece(rows, written));
        written += rows.length;
        terminal.showProgress(pets(written));
      }
      await print(writer.end);
    });
    return { exitCode: 0, ...(file ? { err: visible(OUTPUT.exported(written, file)) } : {}) };
  } catch (error) {
    const described = { ...command, method: 'GET', flags: command.flags as RequestFlag[] };
    return refused(error, described, connection.url, given.values);
  } finally {
    terminal.showProgress('');
  }
};

/** Writes a list of pets piece by piece. */
type Writer = {
  start: string;
  /** `index` is 0 for the first piece. Pieces are never empty. */
  piece(rows: readonly Row[], index: number): string;
  end: string;
};

export const createWriter = (format: Format, fields: readonly string[], isRaw = false): Writer => {
  if (format === 'csv') {
    const toField = isRaw ? csvField : spreadsheetField;
    const line = (cells: readonly unknown[]) => `${cells.map(toField).join(',')}\n`;
    return {
      start: line(fields),
      piece: (rows) => rows.map((row) => line(fields.map((field) => row[field]))).join(''),
      end: '',
    };
  }
  if (format === 'ndjson') {
    return { start: '', piece: (rows) => rows.map((row) => `${toJsonLine(row)}\n`).join(''), end: '' };
  }
  return {
    start: '[',
    piece: (rows, index) => (index === 0 ? '\n' : ',\n') + rows.map(toJsonLine).join(',\n'),
    end: '\n]\n',
  };
};
