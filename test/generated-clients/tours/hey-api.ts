import { client } from './client/client.gen.ts';
import { createPet, getPet, getUsage, listEvents, listPetHistory, listPets } from './client/sdk.gen.ts';
import type { Event, Pet } from './client/types.gen.ts';

client.setConfig({ baseUrl: process.env.PETSTORE_URL, auth: () => process.env.PETSTORE_API_KEY });
const orThrow = { throwOnError: true } as const;

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

const { data: created } = await createPet({ ...orThrow, body: { name: 'Rex', categoryId: 1 } });
const { data: pets } = await listPets(orThrow);
const { data: available } = await listPets({ ...orThrow, query: { status: 'available', limit: 1 } });
const { data: found } = await getPet({ ...orThrow, path: { petId: created.id } });
const { data: usage } = await getUsage(orThrow);
const [oldest] = pets;
if (!oldest) throw new Error('expected a pet');
const { data: history } = await listPetHistory({ ...orThrow, path: { petId: oldest.id } });
const { data: events } = await listEvents(orThrow);
const { error: refused } = await getPet({ path: { petId: created.id + 1 } });
if (!refused) throw new Error('expected no such pet');

console.log(
  JSON.stringify({
    created: showPet(created),
    pets: pets.map(showPet),
    available: available.map(showPet),
    found: showPet(found),
    requestsPerDay: String(usage.day.limit),
    history: history.flatMap(({ changes }) => changes.map(({ field, from, to }) => `${field}: ${from} to ${to}`)),
    events: events.map(showEvent),
    refused: `${refused.status} ${refused.code}`,
  }),
);
