import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'SHA256SUMS';

export const writeChecksums = async (folder: string): Promise<void> => {
  const names = readdirSync(folder)
    .filter((name) => name !== NAME)
    .sort();
  const lines: string[] = [];
  // Reads one file at a time, because all of them together may not fit in memory.
  for (const name of names) {
    const digest = new Bun.CryptoHasher('sha256').update(await Bun.file(join(folder, name)).bytes()).digest('hex');
    lines.push(`${digest}  ${name}\n`);
  }
  await Bun.write(join(folder, NAME), lines.join(''));
};
