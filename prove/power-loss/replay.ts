import type { Seeded } from '../seeded.ts';
import { type Judged, judgeState } from './judge.ts';
import type { Ledger } from './ledger.ts';
import { choosePoints } from './points.ts';
import type { Files, RecordedDisk } from './recorded-disk.ts';
import { answeredBy, type Entry } from './recording.ts';

const MAX_WRONG = 5;

export type State = Judged & { files: Files; at: string };

type Options = {
  entries: readonly Entry[];
  ledger: Ledger;
  disk: RecordedDisk;
  points: number;
  random: Seeded;
  folder: string;
  saw?: (state: State) => void;
};

export const replay = ({ entries, ledger, disk, points, random, folder, saw }: Options) => {
  const chosen = choosePoints(entries, points, random);
  const wrong: string[] = [];
  let lost = 0;
  for (const [index, entry] of entries.entries()) {
    disk.take(entry);
    if (entry.kind === 'sent') for (const id of answeredBy(entry)) ledger.acknowledge(id);
    while (chosen[lost] === index && wrong.length < MAX_WRONG) {
      lost += 1;
      const { files, lost: words } = disk.lose(random);
      const judged = judgeState(folder, files, ledger);
      const at = `call ${index} (${entry.kind} ${entry.name}), ${words}`;
      saw?.({ ...judged, files, at });
      if (judged.wrong.length > 0) wrong.push(`${at}: ${judged.wrong.slice(0, 3).join('; ')}`);
    }
  }
  return { lost, wrong };
};
