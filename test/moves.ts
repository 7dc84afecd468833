import { Database } from 'bun:sqlite';
import { ADMIN_KEY } from './admin-key.ts';
import { askAt } from './every-table.ts';
import { type createWorkbench, PROGRAM } from './program.ts';
import { query } from './servers/databases.ts';

const ENVIRONMENT = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' };

/** Together, these lists show every stored field that callers can see. */
const LISTS = [
  ...['/pets', '/pets?sort=name', '/categories', '/store/orders', '/store/inventory', '/events', '/audit', '/keys'],
  ...['/webhooks', '/pets/1/history'],
];

export const createMoves = (bench: ReturnType<typeof createWorkbench>, directory = bench.directory()) => {
  const start = (args: readonly string[], environment: Record<string, string> = {}) =>
    bench.start({ directory, environment, command: [...PROGRAM, ...args] });
  return {
    directory,
    startMove: (from: string, to: string) => start(['move', '--from', from, '--to', to]),
    run: (...args: string[]) => start(args).ended(),

    async serve(url: string, environment: Record<string, string> = {}) {
      const program = bench.start({ directory, environment: { ...ENVIRONMENT, DATABASE_URL: url, ...environment } });
      const origin = await program.origin();
      const stop = async () => {
        program.signal('SIGTERM');
        return program.ended();
      };
      return { program, origin, ask: askAt(origin), stop };
    },

    refusal: async (url: string, more: Record<string, string> = {}) => {
      const { exitCode, err } = await bench
        .start({ directory, environment: { ...ENVIRONMENT, DATABASE_URL: url, ...more } })
        .ended();
      return { exitCode, err };
    },
  };
};

/** Removes `lastUsedAt` and `bannedUntil` from the responses, because requests and the passing of time change them. */
export const readAll = async (ask: ReturnType<typeof askAt>): Promise<string[]> => {
  const texts = await Promise.all(LISTS.map(async (path) => (await ask(path)).text));
  return texts.map((text) => text.replaceAll(/"(lastUsedAt|bannedUntil)":[^,}]*/g, ''));
};

export type Sums = Record<string, string>;

/** Reads the row count and the checksum of each table from the output of a move. */
export const sumsIn = (out: string): Sums =>
  Object.fromEntries(
    [...out.matchAll(/^(\w+) +([\d,]+) +([0-9a-f]{16})$/gm)].map(([, table, ...sum]) => [table, sum.join(' ')]),
  );

/**
 * Returns how far the move has copied a table. Returns `undefined` before the first rows of the table are copied and
 * after the move has ended. If `table` is an empty string, returns the name of the source database.
 */
export const positionOf = async (place: string, table: string): Promise<string | undefined> => {
  const select = `SELECT position FROM unfinished_move WHERE name = '${table}'`;
  try {
    const [row] = place.startsWith('sqlite:')
      ? readFile(place.slice('sqlite:'.length), select)
      : await query(place, select);
    return row?.position || undefined;
  } catch {
    return undefined;
  }
};

const readFile = (path: string, select: string): any[] => {
  using file = new Database(path, { readonly: true });
  return file.query(select).all();
};
