import { startPostgres } from '../test/servers/postgres.ts';
import type { ScaleSize } from './fleet.ts';
import type { Answer } from './questions.ts';

/** Autovacuum is off, so that only the service writes. */
const SETTINGS = { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off' };

export const askScale = async (size: ScaleSize, directory: string, say: (text: string) => void): Promise<Answer[]> => {
  const postgres = await startPostgres({ settings: SETTINGS });
  const answers: Answer[] = [];
  try {
    await postgres.query('CREATE EXTENSION pg_stat_statements');
    // The modules below read this variable when they are loaded, so they are imported only here.
    process.env.TEST_DATABASE_URL = postgres.url;
    const { askCounts, askRoundTrips } = await import('./scale-counts.ts');
    const { askLoad, askPooler } = await import('./scale-load.ts');
    for (const ask of [askCounts, askRoundTrips, askLoad, askPooler]) {
      for (const answer of await ask(postgres, size, directory)) {
        say(`${answer.question}: ${answer.answer}`);
        answers.push(answer);
      }
    }
    return answers;
  } finally {
    await postgres.remove();
  }
};
