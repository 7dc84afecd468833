// The test puts this code after the example code from the README, which creates `petstore`. The test also defines
// `place`, which contains the addresses to use.
import { type Event, InvalidSignature, NotFound, RateLimited, verifyWebhook } from 'petstore-client';

const fault = async (name: string): Promise<void> => {
  await fetch(`${place.control}/${name}`, { method: 'POST' });
};
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined).catch((error: unknown) => error);

const limited = new Petstore({ key: place.limitedKey, baseUrl: place.baseUrl });
await limited.pets.list({ limit: 1 }).page();
const refused = await failure(limited.pets.list({ limit: 1 }).page());
const missing = await failure(petstore.orders.get(987_654));

await fault('lose-answer');
const once = await petstore.pets.create({ name: 'Once', categoryId: 4 });
const copies = await petstore.pets.list({ ids: [once.id] }).toArray();

const [last] = await petstore.events.list({ order: 'desc', limit: 1 }).toArray({ max: 1 });
const first = await petstore.pets.create({ name: 'Before', categoryId: 4 });
let second: typeof first | undefined;
const seen: Event[] = [];
for await (const event of petstore.events.stream({ after: last?.sequence, types: ['pet.created'] })) {
  seen.push(event);
  if (seen.length === 2) break;
  await fault('cut');
  second = await petstore.pets.create({ name: 'After', categoryId: 4 });
}

const event = await verifyWebhook(place.delivery, place.secret, { toleranceSeconds: 86_400 });
const forged = await failure(verifyWebhook({ ...place.delivery, body: '{}' }, place.secret));

console.log(
  `journey ${JSON.stringify({
    refused: refused instanceof RateLimited && [refused.code, refused.retryAfterMs],
    missing: missing instanceof NotFound && [missing.name, missing.code],
    made: copies.length,
    seen: seen.map(({ data }) => (data as { object: { id: number } }).object.id).join() === `${first.id},${second?.id}`,
    event: event.type,
    forged: forged instanceof InvalidSignature,
  })}`,
);
