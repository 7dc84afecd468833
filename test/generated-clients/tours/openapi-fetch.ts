import createClient from 'openapi-fetch';
import type { components, paths } from './client/schema.ts';

type Pet = components['schemas']['Pet'];
type Event = components['schemas']['Event'];

const { PETSTORE_URL = '', PETSTORE_API_KEY } = process.env;
const client = createClient<paths>({
  baseUrl: PETSTORE_URL,
  headers: { Authorization: `Bearer ${PETSTORE_API_KEY}` },
});

const must = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const showPet = ({ name, categoryId, status }: Pet) => `${name} ${categoryId} ${status}`;

/** This function compiles only if the generated types let the compiler narrow an event by its `type`. */
const showEvent = (event: Event): string => {
  switch (event.type) {
    case 'pet.created':
      return `${event.type}: ${event.data.object.name} ${event.data.object.categoryId}`;
    case 'pet.status_changed':
      return `${event.type}: ${event.data.previous.status} to ${event.data.object.status}`;
    case 'order.placed':
      return `${event.type}: ${event.data.object.status}`;
    default:
      return event.type;
  }
};

const created = must(await client.POST('/pets', { body: { name: 'Rex', categoryId: 1 } }));
const pets = must(await client.GET('/pets'));
const available = must(await client.GET('/pets', { params: { query: { status: 'available', limit: 1 } } }));
const found = must(await client.GET('/pets/{petId}', { params: { path: { petId: created.id } } }));
const usage = must(await client.GET('/usage'));
const [oldest] = pets;
if (!oldest) throw new Error('expected a pet');
const both = must(await client.GET('/pets', { params: { query: { ids: [oldest.id, created.id] } } }));
if (both.length !== 2) throw new Error('expected both pets');
const history = must(await client.GET('/pets/{petId}/history', { params: { path: { petId: oldest.id } } }));
const events = must(await client.GET('/events'));
const refused = await client.GET('/pets/{petId}', { params: { path: { petId: created.id + 1 } } });
if (!refused.error) throw new Error('expected no such pet');

console.log(
  JSON.stringify({
    created: showPet(created),
    pets: pets.map(showPet),
    available: available.map(showPet),
    found: showPet(found),
    requestsPerDay: String(usage.day.limit),
    history: history.flatMap(({ changes }) => changes.map(({ field, from, to }) => `${field}: ${from} to ${to}`)),
    events: events.map(showEvent),
    refused: `${refused.error.status} ${refused.error.code}`,
  }),
);
