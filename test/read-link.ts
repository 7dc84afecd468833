import { readlinkSync } from 'node:fs';

/** Resolves the link of a file descriptor, which may have been closed since it was listed. */
export const readLinkOrEmpty = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
