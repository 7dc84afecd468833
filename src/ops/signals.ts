import { readFileSync } from 'node:fs';

/**
 * Ignores signals that are often used to rotate logs or dump state, because they would end the process without
 * draining. Also keeps SIGUSR1 from starting the runtime's debugger. The entry point imports this file first, because
 * the default action applies until then.
 */
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);

type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** `nohup` makes a process ignore SIGHUP, and installing a handler would undo that. SIGHUP is the mask's lowest bit. */
const ignoresHangup = (): boolean => {
  try {
    const [, mask = ''] = /^SigIgn:\s+\w*(\w)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (Number.parseInt(mask, 16) & 1) === 1;
  } catch {
    return false;
  }
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
