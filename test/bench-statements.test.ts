import { expect, test } from 'bun:test';
import { findText, recordCreate } from '../bench/statements.ts';

test('the recorded statements are the service’s own, with every parameter', async () => {
  expect(await findText()).toMatch(/^SELECT .* FROM pets WHERE store_id = \$1 AND id = \$2$/s);
  const { text, values, varying } = await recordCreate(1000);
  for (const table of ['categories', 'pets', 'inventory', 'events']) expect(text).toContain(`INSERT INTO ${table} `);
  const highest = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index)));
  expect(values).toHaveLength(highest);
  expect(values).toContain('1000');
  // The statement contains the pet's id twice: once for the pet and once for its event.
  expect(varying['pet id']).toHaveLength(2);
  expect(varying['event id']).toHaveLength(1);
  expect(varying['counter slot']).toHaveLength(1);
});
