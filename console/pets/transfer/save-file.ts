export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // By then, the browser has read the file, and the URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
