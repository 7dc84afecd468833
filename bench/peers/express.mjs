import { createHash, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';
import { z } from 'zod';

const { PEER_DATABASE, PEER_KEY, HOST, PORT } = process.env;

const database = new Database(PEER_DATABASE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const find = database.prepare('SELECT id, name, categoryId, status FROM pets WHERE id = ?');
const list = database.prepare(
  'SELECT id, name, categoryId, status FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
);
const insert = database.prepare('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)');

const Status = z.enum(['available', 'pending', 'sold']);
const Id = z.coerce.number().int().min(1);
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

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(`Bearer ${PEER_KEY}`);

const app = express();

app.use((request, response, next) => {
  if (timingSafeEqual(hash(request.get('Authorization') ?? ''), expected)) return next();
  response.status(401).json({ error: 'send a valid API key' });
});
app.use(express.json());

app.get('/v1/pets/:id', (request, response) => {
  const pet = find.get(Id.parse(request.params.id));
  if (pet) response.json(pet);
  else response.status(404).json({ error: 'no such pet' });
});

app.get('/v1/pets', (request, response) => {
  const { status, after, limit } = Query.parse(request.query);
  const data = list.all(status, after, limit);
  response.json({ data, next: data.at(-1)?.id ?? null });
});

app.post('/v1/pets', (request, response) => {
  const pet = NewPet.parse(request.body);
  const { lastInsertRowid } = insert.run(pet.name, pet.categoryId, pet.status);
  response
    .status(201)
    .location(`/v1/pets/${lastInsertRowid}`)
    .json({ id: lastInsertRowid, ...pet });
});

// Express recognizes an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  const status = error instanceof z.ZodError ? 400 : (error.status ?? 500);
  response.status(status).json({ error: error.message });
});

app.listen(Number(PORT), HOST);
