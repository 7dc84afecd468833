import type { KeyReads } from '../resources/keys/keys.repository.ts';

type Deps = {
  findAdmin: KeyReads['findAdmin'];
  /** What is known without asking the database. */
  canServe(): boolean;
  /** How long the first of those who write has waited for its commit. */
  waitedMs(): number;
};

/** A write that has waited so long waits for a disk or a database that hangs: there is nothing left to be written to. */
const HUNG_MS = 5000;

/**
 * Whether requests can be served, by a read of the database. Anyone may ask, and is never refused: all who ask while it is
 * being read share that read, so that they take one connection to the database from others, not all of them.
 */
export const createReadiness = ({ findAdmin, canServe, waitedMs }: Deps) => {
  let reading: ReturnType<typeof findAdmin> | undefined;
  const read = () => {
    reading ??= findAdmin().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return async (): Promise<boolean> => canServe() && waitedMs() < HUNG_MS && (await read()) !== undefined;
};
