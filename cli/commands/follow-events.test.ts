import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { verifyWebhook } from '../../client/src/index.ts';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { freePort } from '../../test/servers/server-process.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { waitFor } from '../../test/wait-for.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const environment = () => ({ PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY });

const start = async (command: string, more: Record<string, string> = {}) => {
  const { body: issued } = await service.post('/v1/keys', {
    ...{ name: 'laptop', plan: 'pro' },
    scopes: ['events:read', 'pets:read', 'pets:write', 'orders:read'],
  });
  const written = { out: '', err: '' };
  const ended = runCommand(
    command.split(' '),
    { ...environment(), PETSTORE_API_KEY: issued.key, ...more },
    {
      ...NO_TERMINAL,
      print: async (text) => {
        written.out += text;
      },
      tell: (text) => {
        written.err += `${text}\n`;
        return true;
      },
    },
  );
  const stop = async () => {
    await service.call('DELETE', `/v1/keys/${issued.id}`);
    return ended;
  };
  const lines = (count: number) =>
    waitFor(`${count} lines are written`, () => {
      const all = written.out.split('\n').slice(0, -1);
      return all.length >= count ? all : undefined;
    });
  return { written, lines, stop };
};

const add = async (name: string) => (await service.post('/v1/pets', { name, categoryId: 1 })).body;

const newest = async (): Promise<number> => (await service.get('/v1/events?order=desc&limit=1')).body[0]?.sequence ?? 0;

describe('events follow', () => {
  test('shows each event in one line, with what changed', async () => {
    const after = await newest();
    const { id } = await add('Rex\u001b[2J');
    await service.call('PATCH', `/v1/pets/${id}`, { body: { status: 'pending', name: 'Rexi' } });
    const { lines, stop } = await start(`events follow --after ${after}`);
    const shown = (await lines(3)).map((line) => line.split(/ {2,}/));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(shown).toEqual([
      [time, 'pet.created', `pet ${id} Rex\\u001b[2J`],
      [time, 'pet.updated', `pet ${id} Rexi, name Rex\\u001b[2J → Rexi`],
      [time, 'pet.status_changed', `pet ${id} Rexi, status available → pending`],
    ]);
    expect(await stop()).toMatchObject({
      exitCode: 1,
      err: 'petstore: The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one. (invalid_api_key)\nTry: petstore login',
    });
  });

  test('prints events of the requested types as one line of JSON each, with every digit', async () => {
    const after = await newest();
    await add('Ada');
    const { body } = await service.post('/v1/pets', '{"name":"Bo","categoryId":9223372036854775807}');
    await service.call('DELETE', `/v1/pets/${body.id}`);
    const { lines, stop } = await start(`events follow --after ${after} --types pet.deleted --json`);
    const [line = ''] = await lines(1);
    expect(line).toContain('"categoryId":9223372036854775807');
    expect(JSON.parse(line)).toMatchObject({ type: 'pet.deleted', data: { object: { id: body.id } } });
    await stop();
  });

  test('refuses an unknown event type, and suggests a known one', async () => {
    await expect(runCommand(['events', 'follow', '--types', 'order.place'], environment())).rejects.toThrow(
      '--types: unknown event type "order.place"; did you mean order.placed?',
    );
  });
});

describe('webhooks listen', () => {
  const receive = () => {
    const taken: { headers: Headers; body: string }[] = [];
    const receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        taken.push({ headers: request.headers, body: await request.text() });
        return new Response(null, { status: taken.length === 1 ? 204 : 500 });
      },
    });
    return { taken, url: `http://127.0.0.1:${receiver.port}/hooks`, stop: () => receiver.stop(true) };
  };

  test('forwards events to a receiver, signed with the printed secret, and shows each result', async () => {
    const receiver = receive();
    const after = await newest();
    const { written, lines, stop } = await start(`webhooks listen --forward-to ${receiver.url} --types pet.created`);
    const [, secret = ''] = await waitFor(
      'the secret is printed',
      () => /signed with (whsec_\S+)/.exec(written.err) ?? undefined,
    );
    // The command misses events that occur before its stream is open, so the test adds pets until an event arrives.
    const added = await waitFor('an event arrives', async () => {
      const pet = await add('Rex');
      return receiver.taken.length > 0 ? pet : undefined;
    });
    await add('Bo');
    const [first = '', second = ''] = await lines(2);
    expect(added.id).toBeGreaterThan(0);
    expect(first).toMatch(/pet\.created +pet \d+ Rex {2}→ 204 in \d+ ms$/);
    expect(second).toMatch(/ {2}→ 500 in \d+ ms$/);
    const event = await verifyWebhook(receiver.taken[0] as (typeof receiver.taken)[number], secret);
    expect(event).toMatchObject({ type: 'pet.created', data: { object: { name: 'Rex' } } });
    expect(Number((event as { sequence: unknown }).sequence)).toBeGreaterThan(after);
    await stop();
    await receiver.stop();
  });

  test('shows that a receiver cannot be reached, and continues', async () => {
    const gone = `http://127.0.0.1:${await freePort()}/hooks`;
    const PETSTORE_WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { written, lines, stop } = await start(`webhooks listen --forward-to ${gone}`, {
      PETSTORE_WEBHOOK_SECRET,
    });
    await waitFor('an event is printed', async () => {
      await add('Rex');
      return written.out !== '' || undefined;
    });
    expect((await lines(1))[0]).toEndWith('  → cannot be reached');
    expect(written.err).toContain('signed with PETSTORE_WEBHOOK_SECRET');
    expect(written.err).not.toContain(PETSTORE_WEBHOOK_SECRET);
    await stop();
  });

  test.each([
    ['webhooks listen', {}, '--forward-to is missing'],
    ['webhooks listen --forward-to localhost:3000', {}, '--forward-to must be an address such as'],
    [
      'webhooks listen --forward-to http://127.0.0.1:9',
      { PETSTORE_WEBHOOK_SECRET: 'whsec_short' },
      'must be whsec_ followed by',
    ],
  ])('%s with %j is refused', async (command, more, message) => {
    await expect(runCommand(command.split(' '), { ...environment(), ...more })).rejects.toThrow(message);
  });
});
