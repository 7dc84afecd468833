import { Database } from 'bun:sqlite';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type createWorkbench, PROGRAM } from '../test/program.ts';

type Workbench = ReturnType<typeof createWorkbench>;
type Surroundings = { directory: string; url?: string; before?: readonly string[] };

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

export const createShop = (bench: Workbench) => {
  const start = ({ directory, url, before = [] }: Surroundings, ...args: string[]) =>
    bench.start({
      directory,
      environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, ...(url ? { DATABASE_URL: `sqlite:${url}` } : {}) },
      command: [...before, ...PROGRAM, ...args],
    });

  return {
    start,
    run: (where: Surroundings, ...args: string[]) => start(where, ...args).ended(),

    async serveWith(where: Surroundings, names: readonly string[] = []) {
      const program = start(where);
      const origin = await program.origin();
      if (names.length > 0) {
        const body = JSON.stringify({ pets: names.map((name) => ({ name, categoryId: 1 })) });
        const answer = await fetch(`${origin}/v1/pets/batch`, { method: 'POST', headers, body });
        if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      }
      const end = async (signal: NodeJS.Signals) => {
        program.signal(signal);
        return program.ended();
      };
      return { program, origin, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
    },
  };
};

export const namesOf = (count: number, words: string): string[] =>
  Array.from({ length: count }, (_, index) => `${words} ${String(index).padStart(4, '0')}`);

export const petsIn = (path: string): string[] => {
  const file = new Database(path, { readonly: true });
  try {
    return file
      .query('SELECT name FROM pets ORDER BY name')
      .values()
      .map(([name]) => String(name));
  } finally {
    file.close();
  }
};
