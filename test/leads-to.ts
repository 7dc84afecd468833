import { readlinkSync } from 'node:fs';

/** Where a descriptor leads; it may be closed between the look at the list and this one. */
export const leadsTo = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
