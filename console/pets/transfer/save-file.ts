/** Downloads a file that was created in the browser. */
export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // By then, the browser has started to write the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
