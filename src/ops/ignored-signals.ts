/**
 * Ignores signals that would end the process without a drain; other programs use them to rotate logs or to dump state. A
 * handler also keeps SIGUSR1 from the runtime's debugger. Import this file first: until then the default holds.
 */
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);
