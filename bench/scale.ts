import { startPostgres } from '../test/servers/postgres.ts';
import type { ScaleSize } from './fleet.ts';
import type { Answer } from './questions.ts';

/** Autovacuum is off, so that only the service writes to the database. */
const SETTINGS = { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off' };

export const askScale = async (size: ScaleSize, directory: string, say: (text: string) => void): Promise<Answer[]> => {
  const [postgres, other] = [await startPostgres({ settings: SETTINGS }), await startPostgres({ settings: SETTINGS })];
  const answers: Answer[] = [];
  try {
    for (const server of [postgres, other]) await server.query('CREATE EXTENSION pg_stat_statements');
    // `scale-counts.ts` and `scale-load.ts` read this variable when they are loaded, so they are imported only after it
    // is set.
    process.env.TEST_DATABASE_URL = postgres.url;
    const { askCounts, askRoundTrips } = await import('./scale-counts.ts');
    const { askCitus } = await import('./scale-citus.ts');
    const { askLoad, askPooler } = await import('./scale-load.ts');
    const asks = {
      'statements and writes, about three minutes': () => askCounts([postgres, other], size),
      'round trips': () => askRoundTrips(postgres, size),
      'processor time': () => askLoad(postgres, size, directory),
      'a pooler': () => askPooler(postgres, size),
      'an idle Citus cluster': () => askCitus(size, say),
    };
    for (const [what, ask] of Object.entries(asks)) {
      say(`measuring ${what}`);
      for (const answer of await ask()) {
        say(`${answer.question}: ${answer.answer}`);
        answers.push(answer);
      }
    }
    return answers;
  } finally {
    await postgres.remove();
    await other.remove();
  }
};
