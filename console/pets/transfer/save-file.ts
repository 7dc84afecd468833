/** Downloads a file made in the browser. */
export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // The browser must have started writing by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
