import { lacks } from '../test/needs.ts';
import { proveChaos } from './chaos.ts';

proveChaos(
  'through PgBouncer',
  'four instances behind PgBouncer in transaction mode, PgBouncer itself, PostgreSQL and Redis fail in turn: each acknowledged write is stored once',
  lacks('PostgreSQL') || lacks('Redis') || lacks('PgBouncer'),
);

if (process.env.TEST_CITUS_URL) {
  proveChaos(
    'on Citus',
    'four instances on Citus, its coordinator and Redis fail in turn: each acknowledged write is stored once',
    lacks('Redis'),
  );
}
