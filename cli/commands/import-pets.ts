import { basename } from 'node:path';
import { PetstoreError } from '../../client/src/index.ts';
import { once } from '../../src/kernel/runtime.ts';
import { type CommandResult, connectionOf, REFUSED, type RunCommand } from '../args/invocation.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { type Checked, checkPets, type Fault, type Source } from '../files/check-pets.ts';
import { chooseFormat, withFile } from '../files/import-file.ts';
import { createRejects, rejectFileOf } from '../files/rejects.ts';
import { BatchRefused, type Sent, sendPets } from '../files/send-pets.ts';
import { IMPORT } from '../messages.ts';
import { createProgress } from '../output/progress.ts';
import { alignColumns } from '../output/table.ts';
import { CannotWrite } from '../output/terminal.ts';
import { visible } from '../output/text.ts';
import { type Format, formatOf } from '../rows/pet-rows.ts';
import { UnreadableText } from '../rows/text-chunks.ts';
import { connect } from './connection.ts';
import { explainRefusal, refused } from './explain-refusal.ts';

const shownName = (file: string): string => visible(file === '-' ? IMPORT.input : file);

const faultLines = (faults: readonly Fault[]): string =>
  alignColumns(faults.map(({ place, field, reason }) => [`  ${place}`, visible(field || '-'), visible(reason)]));

const refuseRows = (file: string, format: Format, { rows: all, good, faults }: Checked, isDry: boolean) => {
  const bad = all - good;
  const more = bad - new Set(faults.map(({ place }) => place)).size;
  return {
    exitCode: REFUSED,
    err: [
      `petstore: ${IMPORT.invalid(shownName(file), bad, all)}`,
      faultLines(faults),
      ...(more > 0 ? [IMPORT.more(more)] : []),
      `Try: ${isDry ? IMPORT.correct : IMPORT.continueHint(visible(file), visible(rejectFileOf(file, format)))}`,
    ].join('\n'),
  };
};

const refusedLines = ({ cause, places }: BatchRefused): string | undefined => {
  const fields = cause instanceof PetstoreError ? cause.fields : [];
  const faults = fields.flatMap(({ pointer = '', detail }): Fault[] => {
    const [, index, field = ''] = /^#\/pets\/(\d+)\/?(.*)$/.exec(pointer) ?? [];
    const place = index === undefined ? undefined : places[Number(index)];
    return place === undefined ? [] : [{ place, field, reason: detail }];
  });
  return faults.length > 0 ? faultLines(faults) : undefined;
};

/**
 * Refuses to resume an import that another version of `petstore` started. That version divided the file into different
 * batches, so it is unclear which rows were added.
 */
const begunOtherwise = (file: string, done: number): CommandResult => ({
  exitCode: REFUSED,
  err: `petstore: ${IMPORT.otherBatches(shownName(file), done)}\nTry: ${IMPORT.otherVersionHint}`,
});

const report = (file: string, { added, before }: Sent, seconds: number, rejected: string | undefined): string =>
  [
    IMPORT.added(added, shownName(file), seconds),
    ...(before > 0 ? [IMPORT.addedBefore(before)] : []),
    ...(rejected ? [IMPORT.rejectedTo(visible(rejected))] : []),
  ].join('; ');

const send = async (source: Source, checked: Checked, file: string, ...asked: Parameters<RunCommand>) => {
  const [command, given, { terminal }] = asked;
  const connection = await connectionOf(...asked);
  const rejected = checked.good < checked.rows ? rejectFileOf(file, source.format) : undefined;
  const rejects = rejected === undefined ? undefined : createRejects(rejected, checked.heading);
  const progress = createProgress(terminal, basename(shownName(file)));
  let done = 0;
  const stop = (): string[] => {
    progress.end();
    try {
      rejects?.end();
      return [];
    } catch (error) {
      return [`petstore: ${visible((error as Error).message)}`];
    }
  };
  const isOver = terminal.onInterrupt(() => [`${IMPORT.cancelled} ${IMPORT.resume(done)}`, ...stop()].join('\n'));
  const again = given.switches.has('again') ? `-${terminal.clock()}` : '';
  try {
    const sent = await sendPets(source, {
      client: connect(connection, terminal),
      name: checked.digest.slice(0, 32) + again,
      reject: (bad) => {
        if (!rejects) throw new BadUsage(IMPORT.changed(shownName(file), done));
        rejects.add(bad);
      },
      done: (number) => {
        done = number;
        progress.show(number, checked.good);
      },
    });
    rejects?.end();
    return { exitCode: 0, out: report(file, sent, progress.seconds(), rejected) };
  } catch (error) {
    if (error instanceof CannotWrite) {
      return { exitCode: REFUSED, err: `petstore: ${visible(error.message)}\n${IMPORT.resume(done)}` };
    }
    if (!(error instanceof BatchRefused) || !(error.cause instanceof PetstoreError)) throw error;
    if (error.cause.code === 'idempotency_key_reused') return begunOtherwise(file, done);
    const lines = refusedLines(error);
    const why = lines
      ? `petstore: ${IMPORT.rejectedByService(shownName(file))}\n${lines}`
      : explainRefusal(error.cause, { ...command, method: 'POST' }, connection.url, given.values);
    return { exitCode: REFUSED, err: [why, IMPORT.resume(done), ...stop()].join('\n') };
  } finally {
    isOver();
    stop();
  }
};

export const importPets: RunCommand = (command, given, invocation) => {
  const [file = ''] = given.positions;
  const isDry = given.switches.has('dry-run');
  return withFile(file, invocation.terminal, async (path, start) => {
    const source: Source = {
      path,
      categories: once(async () => {
        const connection = await connectionOf(command, given, invocation);
        return connect(connection, invocation.terminal).categories.list().toArray();
      }),
      format: chooseFormat(given.values.get('format'), () => formatOf(file, start)),
      isRaw: given.switches.has('raw'),
    };
    let checked: Checked;
    try {
      checked = await checkPets(source);
    } catch (error) {
      if (error instanceof PetstoreError) {
        const { url } = await connectionOf(command, given, invocation);
        return refused(error, command, url, given.values);
      }
      if (!(error instanceof UnreadableText)) throw error;
      return { exitCode: REFUSED, err: `petstore: ${visible(IMPORT.nothingSent(shownName(file), error.message))}` };
    }
    const isBad = checked.good < checked.rows;
    if (isBad && (isDry || !given.switches.has('continue'))) return refuseRows(file, source.format, checked, isDry);
    if (isDry) return { exitCode: 0, out: IMPORT.valid(shownName(file), checked.rows) };
    return send(source, checked, file, command, given, invocation);
  });
};
