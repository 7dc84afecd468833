import { MIGRATIONS } from '../src/storage/postgres/migrations.ts';

(MIGRATIONS as string[]).push(
  '-- Pets have a color.\nALTER TABLE pets ADD COLUMN of_a_test text',
  '-- Pets by color.\nCREATE INDEX CONCURRENTLY pets_color ON pets (store_id, of_a_test)',
);
await import('../src/main.ts');
