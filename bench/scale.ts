import { startPostgres } from '../test/servers/postgres.ts';
import type { ScaleSize } from './fleet.ts';
import type { Answer } from './questions.ts';

/** Without autovacuum, every transaction that writes is the service's. */
const SETTINGS = { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off' };

/** Measures what one machine can: costs of instances on PostgreSQL, alone and through a pooler. */
export const askScale = async (size: ScaleSize, directory: string, say: (text: string) => void): Promise<Answer[]> => {
  const postgres = await startPostgres({ settings: SETTINGS });
  const answers: Answer[] = [];
  try {
    await postgres.query('CREATE EXTENSION pg_stat_statements');
    // Test code reads this address when it is loaded, so it is loaded after the server has started.
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
