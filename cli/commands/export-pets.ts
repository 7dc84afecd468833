import type { z } from 'zod';
import type { RequestFlag } from '../args/flag.ts';
import { connectionOf, REFUSED, type RunCommand } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { chooseFormat } from '../files/import-file.ts';
import { type Destination, findDestination, type Write, writeFile } from '../files/output-file.ts';
import { OUTPUT, pets } from '../messages.ts';
import { columnsOf, type Row } from '../output/columns.ts';
import { toJsonLine } from '../output/show-answer.ts';
import { LARGEST_PAGE, walk } from '../output/show-pages.ts';
import { confirm, type Terminal } from '../output/terminal.ts';
import { visible } from '../output/text.ts';
import { csvField, spreadsheetField } from '../rows/csv-field.ts';
import { type Format, namedFormat } from '../rows/pet-rows.ts';
import { type Command, OPERATIONS } from './command.ts';
import { connect } from './connection.ts';
import { refused } from './explain-refusal.ts';

const inVisibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

const withOutput = (destination: Destination | undefined, terminal: Terminal, write: Write): Promise<void> => {
  const { print, columns } = terminal;
  if (destination) return writeFile(destination, terminal, write);
  return write(columns === undefined ? print : (text) => print(inVisibleLines(text)));
};

const mayWrite = async ({ file, isTaken }: Destination, { switches }: Arguments, terminal: Terminal) => {
  if (!isTaken || switches.has('overwrite')) return true;
  const isSure = await confirm(terminal, OUTPUT.overwrite(visible(file)));
  if (isSure === undefined) throw new BadUsage(OUTPUT.exists(file));
  return isSure;
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

export const exportPets: RunCommand = async (command, given, invocation) => {
  const { terminal } = invocation;
  const file = given.values.get('output');
  const format = chooseFormat(given.values.get('format'), () => namedFormat(file ?? '') ?? 'ndjson');
  const writer = createWriter(format, fieldsOf(), given.switches.has('raw'));
  const connection = await connectionOf(command, given, invocation);
  const destination = file === undefined || file === '-' ? undefined : await findDestination(file);
  if (destination && !(await mayWrite(destination, given, terminal))) {
    return { exitCode: REFUSED, err: visible(`petstore: ${OUTPUT.notWritten(destination.file)}`) };
  }
  const query = { limit: LARGEST_PAGE, ...queryOf(command, given) };
  let written = 0;
  try {
    await withOutput(destination, terminal, async (print) => {
      await print(writer.start);
      const first = await connect(connection, terminal).list<Row>({ path: '/pets', query }).page();
      for await (const rows of walk(first)) {
        if (rows.length > 0) await print(writer.piece(rows, written));
        written += rows.length;
        terminal.showProgress(pets(written));
      }
      await print(writer.end);
    });
    const isNoted = file && !destination?.isStandardError;
    return { exitCode: 0, err: isNoted ? visible(OUTPUT.exported(written, file)) : undefined };
  } catch (error) {
    return refused(error, command, connection.url, given.values);
  } finally {
    terminal.showProgress('');
  }
};

export const createWriter = (format: Format, fields: readonly string[], isRaw = false) => {
  if (format === 'csv') {
    const toField = isRaw ? csvField : spreadsheetField;
    const line = (cells: readonly unknown[]) => `${cells.map(toField).join(',')}\n`;
    return {
      start: line(fields),
      piece: (rows: readonly Row[]) => rows.map((row) => line(fields.map((field) => row[field]))).join(''),
      end: '',
    };
  }
  if (format === 'ndjson') {
    return { start: '', piece: (rows: readonly Row[]) => rows.map((row) => `${toJsonLine(row)}\n`).join(''), end: '' };
  }
  return {
    start: '[',
    piece: (rows: readonly Row[], index: number) => (index === 0 ? '\n' : ',\n') + rows.map(toJsonLine).join(',\n'),
    end: '\n]\n',
  };
};
