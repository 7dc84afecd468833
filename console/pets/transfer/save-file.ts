export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // The browser needs the URL until it has read the file, which takes less than a minute.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
