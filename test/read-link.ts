import { readlinkSync } from 'node:fs';

/** Resolves a descriptor's link. The descriptor may have been closed since it was listed. */
export const readLinkOrEmpty = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
