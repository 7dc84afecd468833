/** Gives the reader a file, made here. */
export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // Until the browser has begun to write it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
