import { readlinkSync } from 'node:fs';

export const readLinkOrEmpty = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
};
