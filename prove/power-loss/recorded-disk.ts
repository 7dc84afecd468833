import type { Seeded } from '../seeded.ts';
import { chooseLoss, createRecordedFile, type Loss, type RecordedFile } from './recorded-file.ts';
import type { Entry } from './recording.ts';

type Names = Map<string, RecordedFile>;
type NameChange = { order: number; apply(names: Names): void };

export type Files = ReadonlyMap<string, Buffer>;

/**
 * The index of the WAL. SQLite rebuilds this file at the next start, so a simulated power loss may fill it with
 * garbage.
 */
const INDEX = 'petstore.db-shm';
const INDEX_BYTES = 32_768;

const renames =
  (from: string, to: string): NameChange['apply'] =>
  (names) => {
    const file = names.get(from);
    if (!file) return;
    names.delete(from);
    names.set(to, file);
  };

type Options = {
  from?: Files;
  isLying?: (name: string) => boolean;
};

export const createRecordedDisk = ({ from = new Map(), isLying = () => false }: Options = {}) => {
  const synced: Names = new Map([...from].map(([name, bytes]) => [name, createRecordedFile(bytes)]));
  const names: Names = new Map(synced);
  const begun = new Map<number, { file: RecordedFile | undefined; order: number }>();
  let pending: NameChange[] = [];
  let order = 0;

  const change = (apply: NameChange['apply']): void => {
    apply(names);
    pending.push({ order, apply });
  };
  const create = (name: string): RecordedFile => {
    const made = createRecordedFile();
    change((all) => all.set(name, made));
    return made;
  };
  const fileOf = (name: string): RecordedFile => names.get(name) ?? create(name);
  const syncNames = (upTo: number): void => {
    for (const each of pending) if (each.order <= upTo) each.apply(synced);
    pending = pending.filter((each) => each.order > upTo);
  };
  const endSync = ({ name, number }: Entry): void => {
    const sync = begun.get(number);
    if (!sync || isLying(name)) return;
    if (sync.file) sync.file.sync(sync.order);
    else syncNames(sync.order);
  };

  const TAKES: Record<Entry['kind'], (entry: Entry) => unknown> = {
    started: () => begun.clear(),
    created: ({ name }) => fileOf(name),
    written: ({ name, number, bytes }) => fileOf(name).change({ order, at: number, bytes }),
    resized: ({ name, number }) => fileOf(name).change({ order, size: number }),
    'sync begun': ({ name, number }) => begun.set(number, { file: name === '' ? undefined : fileOf(name), order }),
    'sync ended': endSync,
    renamed: ({ name, bytes }) => change(renames(name, bytes.toString())),
    removed: ({ name }) => change((all) => all.delete(name)),
    sent: () => undefined,
  };

  const loseNames = (loss: Loss, random: Seeded): Names => {
    const found: Names = new Map(synced);
    const [last, isOrdered] = [random.below(pending.length + 1), random.below(2) === 0];
    const hasHappened = (index: number): boolean => (isOrdered ? index < last : random.below(2) === 0);
    for (const [index, { apply }] of pending.entries())
      if (loss === 'all' || (loss !== 'none' && hasHappened(index))) apply(found);
    return found;
  };

  return {
    take(entry: Entry): void {
      order += 1;
      TAKES[entry.kind](entry);
    },

    read: (): Files => new Map([...names].map(([name, file]) => [name, file.read()])),

    lose(random: Seeded): { files: Files; lost: string } {
      const [ofAll, isAlike] = [chooseLoss(random), random.below(2) === 0];
      const choose = (): Loss => (isAlike ? ofAll : chooseLoss(random));
      const ofNames = choose();
      const lost = [`names: ${ofNames}`];
      const files = new Map<string, Buffer>();
      for (const [name, file] of loseNames(ofNames, random)) {
        const loss = choose();
        if (!file.isSynced()) lost.push(`${name}: ${loss}`);
        files.set(name, file.lose(loss, random));
      }
      if (random.below(4) === 0) files.set(INDEX, Buffer.alloc(INDEX_BYTES, random.below(256)));
      return { files, lost: lost.join(', ') };
    },
  };
};

export type RecordedDisk = ReturnType<typeof createRecordedDisk>;
