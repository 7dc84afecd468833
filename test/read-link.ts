import { readlinkSync } from 'node:fs';

/** Returns the target of a file descriptor's link, or '' if the descriptor was closed after it was listed. */
export const readLinkOrEmpty = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
