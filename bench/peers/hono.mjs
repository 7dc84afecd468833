import { Database } from 'bun:sqlite';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { z } from 'zod';

const { PEER_DATABASE, PEER_KEY, HOST, PORT } = process.env;

const database = new Database(PEER_DATABASE);
database.run('PRAGMA journal_mode = WAL');
database.run('PRAGMA synchronous = FULL');
const find = database.query('SELECT id, name, categoryId, status FROM pets WHERE id = ?');
const list = database.query(
  'SELECT id, name, categoryId, status FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
);
const insert = database.query('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)');

const Status = z.enum(['available', 'pending', 'sold']);
const Params = z.object({ id: z.coerce.number().int().min(1) });
const Query = z.object({
  status: Status,
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
const NewPet = z.object({
  name: z.string().min(1).max(255),
  categoryId: z.number().int().min(1),
  status: Status.default('available'),
});

const app = new Hono();
app.use('/v1/*', bearerAuth({ token: PEER_KEY }));

app.get('/v1/pets/:id', zValidator('param', Params), (c) => {
  const pet = find.get(c.req.valid('param').id);
  return pet ? c.json(pet) : c.json({ error: 'no such pet' }, 404);
});

app.get('/v1/pets', zValidator('query', Query), (c) => {
  const { status, after, limit } = c.req.valid('query');
  const data = list.all(status, after, limit);
  return c.json({ data, next: data.at(-1)?.id ?? null });
});

app.post('/v1/pets', zValidator('json', NewPet), (c) => {
  const pet = c.req.valid('json');
  const { lastInsertRowid } = insert.run(pet.name, pet.categoryId, pet.status);
  return c.json({ id: lastInsertRowid, ...pet }, 201, { Location: `/v1/pets/${lastInsertRowid}` });
});

Bun.serve({ hostname: HOST, port: Number(PORT), fetch: app.fetch });
