import { lacks } from '../test/needs.ts';
import { proveChaos } from './chaos.ts';

proveChaos(
  'on PostgreSQL',
  'four instances, their PostgreSQL, their Redis and every connection between them fail in turn: each acknowledged write is stored once',
  lacks('PostgreSQL') || lacks('Redis'),
);
