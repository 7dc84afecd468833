import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from './expect-answer.ts';
import { waitFor } from './wait-for.ts';
import { startWebhookBench, type WebhookBench } from './webhook-bench.ts';
import { type Arrived, fine, refuse } from './webhook-receiver.ts';

let bench: WebhookBench;
beforeEach(async () => {
  bench = await startWebhookBench();
});
afterEach(() => bench.stop());

const SCOPES = ['pets:read', 'pets:write', 'webhooks:write', 'events:read'];
const inStore = (storeId: number) => bench.service.issueKey({ storeId, scopes: SCOPES });
const range = (length: number) => Array.from({ length }, (_, index) => index);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const distinct = (arrived: Arrived[]) => new Set(arrived.map(({ id }) => id)).size;

const eventually = (what: string, look: () => Promise<boolean>) => waitFor(what, look);

describe('deliveries', () => {
  test('contain every event once, signed, with the ID that the event log shows', async () => {
    const { path } = await bench.add();
    await Promise.all(range(40).map((n) => bench.createPet(`Rex ${n}`)));
    const arrived = await bench.receiver.until(path, 40);
    const { body } = await bench.service.get('/v1/events?type=pet.created&limit=100');
    expect(arrived.every(({ isValid }) => isValid)).toBe(true);
    expect(arrived.map(({ id }) => id).sort()).toEqual(body.map(({ id }: Arrived) => id).sort());
  });

  test('make first attempts for each pet in order and one at a time, even while some fail', async () => {
    const { path } = await bench.add();
    const open = new Set<number>();
    const overlapping: number[] = [];
    bench.receiver.respond(async ({ sequence, petId }) => {
      if (open.has(petId)) overlapping.push(petId);
      open.add(petId);
      for (let turn = 0; turn < 20 + (sequence % 5); turn++) await nextTurn();
      open.delete(petId);
      return sequence % 7 === 0 ? refuse() : fine();
    });
    const pets = await Promise.all(range(4).map((n) => bench.createPet(`Rex ${n}`)));
    for (let turn = 0; turn < 14; turn++) await Promise.all(pets.map((id) => bench.rename(id, `turn ${turn}`)));
    const arrived = await bench.receiver.until(path, 60);
    for (const id of pets) {
      const sequences = arrived.filter(({ petId }) => petId === id).map(({ sequence }) => sequence);
      expect(sequences).toHaveLength(15);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    }
    expect(overlapping).toEqual([]);
  });

  test('run at most eight at a time per endpoint', async () => {
    const { path } = await bench.add();
    const eight = Promise.withResolvers<void>();
    bench.receiver.respond(async () => {
      if (bench.receiver.load.now === 8) eight.resolve();
      await eight.promise;
      await nextTurn();
      return fine();
    });
    await Promise.all(range(60).map(() => bench.createPet()));
    await bench.receiver.until(path, 60);
    expect(bench.receiver.load.most).toBe(8);
  });

  test('contain only the subscribed event types', async () => {
    const { path } = await bench.add({ events: ['pet.deleted'] });
    const everything = await bench.add();
    const id = await bench.createPet();
    await bench.rename(id, 'Max');
    await bench.service.call('DELETE', `/v1/pets/${id}`);
    await bench.receiver.until(everything.path, 3);
    const arrived = await bench.receiver.until(path, 1);
    expect(arrived.map(({ type }) => type)).toEqual(['pet.deleted']);
  });

  test('contain no event from before the webhook was added', async () => {
    await bench.createPet('before');
    const { path } = await bench.add();
    const id = await bench.createPet('after');
    const arrived = await bench.receiver.until(path, 1);
    expect(arrived.map(({ petId }) => petId)).toEqual([id]);
  });

  test('go only to webhooks of the store of the event', async () => {
    const [one, two] = [await inStore(71), await inStore(72)];
    const hooks = [await bench.add({}, one), await bench.add({}, one), await bench.add({}, two)];
    const first = await bench.createPet('in one', one);
    const second = await bench.createPet('in two', two);
    await Promise.all(hooks.map(({ path }) => bench.receiver.until(path, 1)));
    expect(hooks.map(({ path }) => bench.receiver.at(path).map(({ petId }) => petId))).toEqual([
      [first],
      [first],
      [second],
    ]);
  });

  test('are logged for events from before the webhook was disabled, but not for events while it is disabled', async () => {
    const { id, path } = await bench.add({ events: ['pet.created'] });
    const switchTo = (enabled: boolean) => bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled } });
    const before = await Promise.all(range(20).map(() => bench.createPet('before')));
    await switchTo(false);
    const during = await bench.createPet('during');
    await switchTo(true);
    const after = await bench.createPet('after');
    const arrived = async () => bench.receiver.at(path).map(({ petId }) => petId);
    await eventually('the last event arrives', async () => (await arrived()).includes(after));
    const { body: events } = await bench.service.get('/v1/events?type=pet.created&limit=100');
    const petOf = new Map(events.map((event: any) => [event.id, event.data.object.id]));
    const logged = (await bench.quiet(id)).map(({ eventId }) => petOf.get(eventId) as number);
    expect(logged.sort()).toEqual([...before, after].sort());
    expect(await arrived()).not.toContain(during);
  });

  test('skip events that occur while the webhook is disabled', async () => {
    const { id, path } = await bench.add();
    const switchTo = (enabled: boolean) => bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled } });
    await switchTo(false);
    await bench.createPet('meanwhile');
    await switchTo(true);
    const after = await bench.createPet('after');
    const arrived = await bench.receiver.until(path, 1);
    expect(arrived.map(({ petId }) => petId)).toEqual([after]);
  });

  test('contain the events from just before a restart', async () => {
    const { path } = await bench.add();
    bench.receiver.respond(() => refuse());
    const pets = await Promise.all(range(30).map(() => bench.createPet()));
    await bench.service.restart();
    bench.receiver.respond(fine);
    bench.clock.advance(60_000);
    const all = async () => {
      await bench.service.runJobs();
      return distinct(bench.receiver.at(path).filter(({ isAccepted }) => isAccepted)) === pets.length;
    };
    await eventually('all events arrive', all);
    expect(bench.receiver.at(path).every(({ isValid }) => isValid)).toBe(true);
  });
});

describe('a failed attempt', () => {
  test('is retried alone, and does not delay others', async () => {
    const { id, path } = await bench.add();
    const bad = await bench.createPet('bad');
    await bench.receiver.until(path, 1);
    bench.receiver.respond(({ petId }) => (petId === bad ? refuse() : fine()));
    await bench.rename(bad, 'worse');
    const others = await Promise.all(range(20).map(() => bench.createPet()));
    await bench.receiver.until(path, 22);
    await bench.quiet(id);
    bench.receiver.respond(fine);
    bench.clock.advance(6000);
    await bench.service.runJobs();
    const arrived = await bench.receiver.until(path, 23);
    expect(arrived.at(-1)?.petId).toBe(bad);
    expect(arrived.at(-1)?.id).toBe(arrived.filter(({ petId }) => petId === bad)[1]?.id as string);
    expect(distinct(arrived)).toBe(2 + others.length);
  });

  test('is not retried if the webhook was disabled meanwhile', async () => {
    const { id, path } = await bench.add();
    const answers: (() => void)[] = [];
    bench.receiver.respond(() => new Promise((resolve) => answers.push(() => resolve(refuse(410)))));
    await Promise.all(range(5).map(() => bench.createPet()));
    await bench.receiver.until(path, 5);
    await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled: false } });
    for (const answer of answers) answer();
    await eventually('all attempts are stored', async () =>
      (await bench.deliveries(id)).every(({ attempt }) => attempt === 1),
    );
    const deliveries = await bench.deliveries(id);
    expect(deliveries).toHaveLength(5);
    for (const kept of deliveries) expect(kept).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect((await bench.webhook(id)).disabledReason).toBe('switched_off');
  });

  test('is not retried if the webhook was disabled and re-enabled meanwhile', async () => {
    const { id, path } = await bench.add();
    const answers: (() => void)[] = [];
    bench.receiver.respond(() => new Promise((resolve) => answers.push(() => resolve(refuse()))));
    await bench.createPet();
    await bench.receiver.until(path, 1);
    for (const enabled of [false, true]) {
      await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled } });
    }
    answers[0]?.();
    await eventually('the attempt is stored', async () => (await bench.deliveries(id))[0].attempt === 1);
    expect(await bench.deliveries(id)).toMatchObject([{ state: 'failed', responseStatus: 500, nextAttemptAt: null }]);
  });

  test('does not disable a webhook whose URL has changed meanwhile', async () => {
    const { id, path } = await bench.add();
    const answers: (() => void)[] = [];
    bench.receiver.respond(() => new Promise((resolve) => answers.push(() => resolve(refuse(410)))));
    await bench.createPet();
    await bench.receiver.until(path, 1);
    const url = bench.receiver.url(`${path}-new`);
    await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { url } });
    answers[0]?.();
    await eventually('the attempt is stored', async () => (await bench.deliveries(id))[0].attempt === 1);
    expect(await bench.webhook(id)).toMatchObject({ url, enabled: true });
    bench.receiver.respond(fine);
    bench.clock.advance(6000);
    await bench.service.runJobs();
    await bench.receiver.until(`${path}-new`, 1);
  });
});

describe('a redelivery', () => {
  test.each([
    ['succeeds', fine],
    ['fails', refuse],
  ])('requested during an attempt gets its own attempt, even if the first one %s', async (_, end) => {
    const { id, path } = await bench.add();
    const answers: ((answer: Response) => void)[] = [];
    bench.receiver.respond(() => new Promise((resolve) => answers.push(resolve)));
    await bench.createPet();
    await bench.receiver.until(path, 1);
    const [delivery] = await bench.deliveries(id);
    const redeliver = () => bench.service.call('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    for (let attempts = 2; attempts <= 4; attempts++) {
      expect((await redeliver()).status).toBe(200);
      answers.shift()?.(end());
      await bench.service.runJobs();
      await bench.receiver.until(path, attempts);
    }
    answers.shift()?.(fine());
    await eventually('the attempt is stored', async () => (await bench.deliveries(id))[0].state === 'delivered');
    expect(bench.receiver.at(path)).toHaveLength(4);
    expect(distinct(bench.receiver.at(path))).toBe(1);
  });
});

describe('a disabled webhook', () => {
  test('refuses tests and redeliveries until it is enabled', async () => {
    const { id, path } = await bench.add();
    await bench.createPet();
    await bench.receiver.until(path, 1);
    const [delivery] = await bench.quiet(id);
    const asks = ['test', `deliveries/${delivery.id}/redeliver`];
    const ask = (what: string) => bench.service.call('POST', `/v1/webhooks/${id}/${what}`);
    await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled: false } });
    for (const what of asks) {
      const response = await ask(what);
      expectError(response, 'invalid_status_transition', 409);
      expect(response.body.message).toBe(
        `Webhook ${id} is disabled; enable it first (PATCH /webhooks/${id} {"enabled": true}).`,
      );
    }
    await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { enabled: true } });
    for (const what of asks) expect((await ask(what)).status).toBe(200);
    await bench.service.runJobs();
    await bench.receiver.until(path, 3);
  });
});
