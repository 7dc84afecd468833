export const saveFile = (name: string, parts: BlobPart[]): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  // After a minute, the browser has read the file and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
