import { join } from 'node:path';
import { ADMIN_KEY } from '../../test/admin-key.ts';
import { type createWorkbench, PROGRAM } from '../../test/program.ts';
import type { Seeded } from '../seeded.ts';
import { type Done, keyCell, type Pet, petCell } from './callers.ts';
import { putDown } from './judge.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { startRecorded } from './record.ts';
import { createRecordedDisk } from './recorded-disk.ts';
import { replay, type State } from './replay.ts';

const KEY = 'after-the-loss';

const addOne = async (origin: string): Promise<Done & { id: number }> => {
  const answer = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json', 'Idempotency-Key': KEY },
    body: JSON.stringify({ name: KEY, categoryId: 1 }),
  });
  const pet = (await answer.json()) as Pet;
  if (answer.status !== 201) throw new Error(`after a power loss: ${answer.status} ${JSON.stringify(pet)}`);
  const requestId = answer.headers.get('x-request-id') as string;
  return { caller: 0, requestId, changes: { ...petCell(pet), ...keyCell(KEY) }, id: pet.id };
};

type Options = {
  bench: ReturnType<typeof createWorkbench>;
  library: string;
  state: State;
  highest: ReturnType<Ledger['highest']>;
  points: number;
  random: Seeded;
  folder: string;
};

export const loseAgain = async ({ bench, library, state, highest, points, random, folder }: Options) => {
  const directory = bench.directory();
  putDown(join(directory, 'data'), state.files);
  const { origin, stop, entries } = startRecorded(bench, library, directory, PROGRAM);
  const { id, ...added } = await addOne(await origin);
  await stop();
  const ledger = createLedger([added], { cells: state.cells, highest });
  const disk = createRecordedDisk({ from: state.files });
  const seen = replay({ entries: entries(), ledger, disk, points, random, folder });
  const wrong =
    id > highest.pets ? seen.wrong : [...seen.wrong, `${id} was given after ${highest.pets} was acknowledged`];
  return { ...seen, wrong: wrong.map((each) => `${state.at}; then ${each}`) };
};
