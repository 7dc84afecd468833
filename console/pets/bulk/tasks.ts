import { messageOf } from '../../data/error-message.ts';
import { createValue } from '../../data/value.ts';

export type TaskFailure = { what: string; reason: string };

export type Task = {
  id: number;
  title: string;
  done: number;
  verb: string;
  total: number | undefined;
  failed: readonly TaskFailure[];
  startedAt: number;
  startedDone: number;
  phase: 'running' | 'stopped' | 'ended';
  /** If true, the page shows the task only after a failure, because a toast already shows its result. */
  isQuiet?: boolean;
  error?: Error;
  stop(): void;
  resume?: (() => void) | undefined;
  failedFile?: ((failed: readonly TaskFailure[]) => { name: string; text: string }) | undefined;
  onDismiss?: (() => void) | undefined;
};

export type TaskProgress = {
  signal: AbortSignal;
  add(done: number, failed?: readonly TaskFailure[]): void;
};

type Start = Pick<Task, 'title' | 'verb' | 'total' | 'failedFile' | 'onDismiss'> &
  Partial<Pick<Task, 'done' | 'failed' | 'resume' | 'isQuiet'>>;

export const tasks = createValue<readonly Task[]>([]);
let last = 0;

const update = (id: number, change: (task: Task) => Partial<Task>): void =>
  tasks.set(tasks.get().map((task) => (task.id === id ? { ...task, ...change(task) } : task)));

export const dismissTask = ({ id, onDismiss }: Task): void => {
  tasks.set(tasks.get().filter((task) => task.id !== id));
  onDismiss?.();
};

export const startTask = (start: Start, work: (progress: TaskProgress) => Promise<void>): Promise<Task> => {
  last += 1;
  const [id, stopped] = [last, new AbortController()];
  const done = start.done ?? 0;
  const task: Task = {
    ...start,
    id,
    done,
    failed: start.failed ?? [],
    startedAt: Date.now(),
    startedDone: done,
    phase: 'running',
    stop: () => stopped.abort(),
  };
  tasks.set([...tasks.get(), task]);
  const add: TaskProgress['add'] = (more, failed = []) =>
    update(id, (now) => ({ done: now.done + more, failed: [...now.failed, ...failed] }));
  return work({ signal: stopped.signal, add })
    .then(
      () => update(id, () => ({ phase: stopped.signal.aborted ? 'stopped' : 'ended' })),
      (error: Error) => update(id, () => ({ phase: 'stopped', ...(stopped.signal.aborted ? {} : { error }) })),
    )
    .then(() => tasks.get().find((one) => one.id === id) ?? task);
};

const CONCURRENCY = 4;

export const forEach = async <Item>(
  items: readonly Item[],
  { signal, add }: TaskProgress,
  {
    what,
    act,
    concurrency = CONCURRENCY,
  }: { what: (item: Item) => string; act: (item: Item) => Promise<unknown>; concurrency?: number },
): Promise<void> => {
  const rest = items.values();
  const walk = async () => {
    for (const item of rest) {
      if (signal.aborted) return;
      await act(item).then(
        () => add(1),
        (error: Error) => {
          if (!signal.aborted) add(0, [{ what: what(item), reason: messageOf(error) }]);
        },
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, walk));
};
