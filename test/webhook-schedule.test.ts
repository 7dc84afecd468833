import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { inTime } from './in-time.ts';
import { waitFor } from './wait-for.ts';
import { startWebhookBench, type WebhookBench } from './webhook-bench.ts';
import { fine, hang, refuse } from './webhook-receiver.ts';

let bench: WebhookBench;
beforeEach(async () => {
  bench = await startWebhookBench();
});
afterEach(() => bench.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WAITS_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];

const afterAttempt = (id: string, attempt: number) =>
  waitFor(`attempt ${attempt} is stored`, async () =>
    (await bench.deliveries(id)).find((it) => it.attempt === attempt),
  );

const moveTo = async (instant: string) => {
  bench.clock.set(instant);
  await bench.service.runJobs();
};

const failOnce = async (id: string) => {
  const before = (await bench.deliveries(id)).length;
  await bench.createPet();
  await waitFor('the delivery is queued', async () => (await bench.deliveries(id)).length > before);
  await bench.quiet(id);
};

const disabledEvents = async () => (await bench.service.get('/v1/events?type=webhook.disabled')).body;

describe('a failed delivery', () => {
  test('is attempted ten times, each after the documented wait, and then marked as failed', async () => {
    const { id, path } = await bench.add();
    bench.receiver.respond(() => refuse(503));
    await bench.createPet();
    for (const [index, wait] of WAITS_MS.entries()) {
      const kept = await afterAttempt(id, index + 1);
      expect(kept).toMatchObject({ state: 'pending', responseStatus: 503, responseBody: 'no' });
      expect(Date.parse(kept.attemptedAt)).toBe(bench.clock());
      const waited = Date.parse(kept.nextAttemptAt) - Date.parse(kept.attemptedAt);
      expect(waited).toBeGreaterThanOrEqual(wait * 0.8);
      expect(waited).toBeLessThanOrEqual(wait * 1.2);
      await moveTo(new Date(Date.parse(kept.nextAttemptAt) - 1).toISOString());
      await moveTo(kept.nextAttemptAt);
    }
    expect(await afterAttempt(id, 10)).toMatchObject({ state: 'failed', nextAttemptAt: null });
    bench.clock.advance(DAY_MS);
    bench.receiver.respond(fine);
    await bench.createPet('the next');
    const arrived = await bench.receiver.until(path, 11);
    expect(arrived.every(({ isValid }) => isValid)).toBe(true);
    expect(new Set(arrived.slice(0, 10).map((it) => it.id)).size).toBe(1);
    expect(arrived[10]?.id).not.toBe(arrived[0]?.id as string);
  });

  test('waits for the time in Retry-After if that is longer', async () => {
    const { id } = await bench.add();
    bench.receiver.respond(() => refuse(429, { 'Retry-After': '3600' }));
    await bench.createPet();
    const kept = await afterAttempt(id, 1);
    expect(Date.parse(kept.nextAttemptAt) - bench.clock()).toBe(HOUR_MS);
  });

  test('is not retried sooner if Retry-After is shorter', async () => {
    const { id } = await bench.add();
    bench.receiver.respond(() => refuse(429, { 'Retry-After': '1' }));
    await bench.createPet();
    const kept = await afterAttempt(id, 1);
    expect(Date.parse(kept.nextAttemptAt) - bench.clock()).toBeGreaterThanOrEqual(4000);
  });
});

describe('an endpoint', () => {
  test('is disabled by a 410 response, and gets nothing more', async () => {
    const { id, path } = await bench.add();
    const other = await bench.add();
    bench.receiver.respond((it) => (it.path === path ? refuse(410) : fine()));
    await bench.createPet();
    const off = await waitFor(
      'the webhook is disabled',
      () => bench.webhook(id),
      ({ enabled }) => !enabled,
    );
    expect(off.disabledReason).toBe('gone');
    const [event] = await disabledEvents();
    expect(event.data.object).toMatchObject({ id, enabled: false, disabledReason: 'gone' });
    expect(event.data.previous).toEqual({ enabled: true, disabledReason: null });
    await bench.createPet();
    bench.clock.advance(DAY_MS);
    await bench.service.runJobs();
    await bench.receiver.until(other.path, 2);
    expect(bench.receiver.at(path)).toHaveLength(1);
  });

  test('is disabled after five days of nothing but failures, and not before', async () => {
    const { id } = await bench.add();
    bench.receiver.respond(() => refuse());
    await failOnce(id);
    bench.clock.advance(5 * DAY_MS - 1);
    await failOnce(id);
    expect((await bench.webhook(id)).enabled).toBe(true);
    bench.clock.advance(1);
    await failOnce(id);
    expect(await bench.webhook(id)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    expect(await disabledEvents()).toHaveLength(1);
  });

  test('that succeeds once gets five new days', async () => {
    const { id } = await bench.add();
    bench.receiver.respond(() => refuse());
    await failOnce(id);
    bench.clock.advance(4 * DAY_MS);
    bench.receiver.respond(fine);
    await bench.createPet();
    await waitFor('both are delivered', async () =>
      (await bench.deliveries(id)).every(({ state }) => state === 'delivered'),
    );
    bench.receiver.respond(() => refuse());
    bench.clock.advance(4 * DAY_MS);
    await failOnce(id);
    expect((await bench.webhook(id)).enabled).toBe(true);
  });

  test('whose URL changes gets five new days', async () => {
    const { id, path } = await bench.add();
    bench.receiver.respond(() => refuse());
    await failOnce(id);
    bench.clock.advance(5 * DAY_MS);
    await bench.service.call('PATCH', `/v1/webhooks/${id}`, { body: { url: bench.receiver.url(`${path}-new`) } });
    await failOnce(id);
    expect((await bench.webhook(id)).enabled).toBe(true);
  });

  test('that keeps failing is paused, and gets everything once it works', async () => {
    const { id, path } = await bench.add();
    const attempted = async () => (await bench.deliveries(id)).filter(({ attempt }) => attempt > 0).length;
    bench.receiver.respond(() => refuse());
    await Promise.all(Array.from({ length: 60 }, () => bench.createPet()));
    await waitFor('the first attempts have failed', async () => (await attempted()) >= 5);
    for (let look = 0; look < 3; look++) await bench.service.runJobs();
    const tried = await attempted();
    // The endpoint is paused when the fifth attempt fails. At that moment, four attempts have already failed, and up to
    // eight attempts are running, including the fifth.
    expect(bench.receiver.at(path).length).toBeLessThanOrEqual(4 + 8);
    bench.clock.advance(1000);
    await bench.service.runJobs();
    await waitFor('one more attempt has failed', async () => (await attempted()) > tried);
    await waitFor('the endpoint is paused again', () => bench.receiver.load.now === 0);
    expect(bench.receiver.at(path).length).toBeLessThanOrEqual(4 + 8 + 1);

    bench.receiver.respond(fine);
    const accepted = () => new Set(bench.receiver.at(path).flatMap((it) => (it.isAccepted ? [it.id] : [])));
    await waitFor('all events arrive', async () => {
      bench.clock.advance(10_000);
      await bench.service.runJobs();
      return accepted().size === 60;
    });
  });
});

describe('a service during shutdown', () => {
  const answerWhileItStops = async () => {
    const { id, path } = await bench.add();
    let answer = (): void => undefined;
    bench.receiver.respond(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(fine());
        }),
    );
    await bench.createPet();
    await bench.receiver.until(path, 1);
    const restarted = bench.service.restart();
    answer();
    await restarted;
    expect(await bench.deliveries(id)).toMatchObject([{ attempt: 1, state: 'delivered' }]);
  };
  test('waits briefly for the response to a sent delivery, and stores it', () => inTime(1000, answerWhileItStops));

  test('does not wait for a response that never comes, and resends the delivery after the next start', async () => {
    const { id, path } = await bench.add();
    bench.receiver.respond(hang);
    await bench.createPet();
    await bench.receiver.until(path, 1);
    await bench.service.restart();
    bench.receiver.respond(fine);
    await bench.service.runJobs();
    const [first, second] = await bench.receiver.until(path, 2);
    expect(second?.id).toBe(first?.id as string);
    expect(await afterAttempt(id, 1)).toMatchObject({ state: 'delivered' });
  });
});
