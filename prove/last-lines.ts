/**
 * How long to wait for more output after the process has exited, in ms. Orphaned child processes may keep the output
 * stream open forever.
 */
const PATIENCE_MS = 1000;

export const passOn = async (
  child: { stdout: ReadableStream<Uint8Array>; stderr: ReadableStream<Uint8Array>; exited: Promise<number> },
  write: (chunk: Uint8Array) => void,
  most: number,
): Promise<string[]> => {
  const kept: string[] = [];
  const follow = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let begun = '';
    for await (const chunk of stream) {
      write(chunk);
      const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n');
      begun = lines.pop() ?? '';
      kept.push(...lines.filter((line) => line.trim() !== ''));
      kept.splice(0, kept.length - most);
    }
    if (begun) kept.push(begun);
  };
  const heard = Promise.all([follow(child.stdout), follow(child.stderr)]);
  await child.exited;
  await Promise.race([heard, Bun.sleep(PATIENCE_MS)]);
  return kept.slice(-most);
};
