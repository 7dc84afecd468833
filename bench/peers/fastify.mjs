import bearerAuth from '@fastify/bearer-auth';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const { PEER_DATABASE, PEER_KEY, HOST, PORT } = process.env;

const database = new Database(PEER_DATABASE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const find = database.prepare('SELECT id, name, categoryId, status FROM pets WHERE id = ?');
const list = database.prepare(
  'SELECT id, name, categoryId, status FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
);
const insert = database.prepare('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)');

const id = { type: 'integer', minimum: 1 };
const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    categoryId: id,
    status: { ...status, default: 'available' },
  },
};
const pet = { type: 'object', properties: { id, ...newPet.properties } };
const page = {
  type: 'object',
  properties: { data: { type: 'array', items: pet }, next: { type: ['integer', 'null'] } },
};

const app = Fastify();
await app.register(bearerAuth, { keys: new Set([PEER_KEY]) });

app.get(
  '/v1/pets/:id',
  { schema: { params: { type: 'object', properties: { id } }, response: { 200: pet } } },
  async (request, reply) => find.get(request.params.id) ?? reply.code(404).send({ error: 'no such pet' }),
);

const query = {
  type: 'object',
  required: ['status'],
  properties: {
    status,
    after: { type: 'integer', minimum: 0, default: 0 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
};
app.get('/v1/pets', { schema: { querystring: query, response: { 200: page } } }, async (request) => {
  const data = list.all(request.query.status, request.query.after, request.query.limit);
  return { data, next: data.at(-1)?.id ?? null };
});

app.post('/v1/pets', { schema: { body: newPet, response: { 201: pet } } }, async (request, reply) => {
  const { name, categoryId, status } = request.body;
  const { lastInsertRowid } = insert.run(name, categoryId, status);
  reply.code(201).header('Location', `/v1/pets/${lastInsertRowid}`);
  return { id: lastInsertRowid, name, categoryId, status };
});

await app.listen({ host: HOST, port: Number(PORT) });
