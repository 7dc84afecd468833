export const openRaw = async (port: number) => {
  const closed = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const drained: (() => void)[] = [];
  const it = { received: '', isClosed: false, taken: 0 };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, bytes) {
        if (it.received.length < 1000) it.received += bytes.toString('latin1');
        answered.resolve();
      },
      drain() {
        for (const go of drained.splice(0)) go();
      },
      close() {
        it.isClosed = true;
        closed.resolve();
        for (const go of drained.splice(0)) go();
      },
      error: () => undefined,
    },
  });
  return {
    it,
    closed: closed.promise,
    answered: answered.promise,
    status: () => it.received.slice(9, 12),
    end: () => socket.terminate(),
    async send(bytes: Uint8Array): Promise<void> {
      for (let at = 0; at < bytes.length && !it.isClosed; ) {
        const written = socket.write(bytes.subarray(at));
        if (written < 0) return;
        at += written;
        it.taken += written;
        if (at < bytes.length && !it.isClosed) await new Promise<void>((resolve) => drained.push(resolve));
      }
    },
  };
};

export type Raw = Awaited<ReturnType<typeof openRaw>>;
