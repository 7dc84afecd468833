import { readlinkSync } from 'node:fs';

/** The result is empty if the descriptor was closed after it was listed. */
export const readLinkOrEmpty = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
