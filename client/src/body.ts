/** More than the service ever sends at once: whoever sends more would fill the memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The whole body; undefined if it is larger than any of the service. */
export const readBytes = async (source: Request | Response): Promise<Uint8Array | undefined> => {
  // Not every runtime and framework has the body as a web stream.
  if (typeof source.body?.getReader !== 'function') return new Uint8Array(await source.arrayBuffer());
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = source.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > MOST_BYTES) {
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
