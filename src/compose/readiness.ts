import type { KeyReads } from '../keys/keys.repository.ts';

type Deps = {
  findAdmin: KeyReads['findAdmin'];
  /** What is known without asking the database. */
  canServe(): boolean;
};

/**
 * Whether requests can be served, by a read of the database. Anyone may ask, and is never refused: all who ask while it is
 * being read share that read, so that they take one connection to the database from others, not all of them.
 */
export const createReadiness = ({ findAdmin, canServe }: Deps) => {
  let reading: ReturnType<typeof findAdmin> | undefined;
  const read = () => {
    reading ??= findAdmin().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return async (): Promise<boolean> => canServe() && (await read()) !== undefined;
};
