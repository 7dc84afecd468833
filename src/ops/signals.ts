import { readFileSync } from 'node:fs';
import { tryTo } from '../kernel/runtime.ts';

// Operators often send these signals to programs to rotate logs or dump state. By default, the signals would end the
// process or start the debugger. The entry point imports this file first, because the defaults apply until the next
// line has run.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);

type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** `nohup` makes a process ignore SIGHUP, and a handler would undo that. SIGHUP is the lowest bit of the mask. */
const ignoresHangup = (): boolean => {
  const status = tryTo(() => readFileSync('/proc/self/status', 'utf8')) ?? '';
  const [, mask = ''] = /^SigIgn:\s+\w*(\w)$/m.exec(status) ?? [];
  return (Number.parseInt(mask, 16) & 1) === 1;
};

export const onStopSignal = (act: (signal: StopSignal) => void): void => {
  const signals: StopSignal[] = ignoresHangup() ? ['SIGTERM', 'SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => act(signal));
};

export const stopSignal = (): AbortSignal => {
  const stopped = new AbortController();
  onStopSignal(() => stopped.abort());
  return stopped.signal;
};
