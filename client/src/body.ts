/**
 * Maximum size of a response in bytes. The service never sends more, but another server at `baseUrl` could send enough
 * to exhaust memory.
 */
const MAX_BYTES = 16 * 1024 * 1024;

export const readBytes = async (source: Request | Response): Promise<Uint8Array | undefined> => {
  // In some runtimes and frameworks, a body is not a web stream. The client reads such a body as a whole.
  if (typeof source.body?.getReader !== 'function') return new Uint8Array(await source.arrayBuffer());
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = source.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > MAX_BYTES) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};
