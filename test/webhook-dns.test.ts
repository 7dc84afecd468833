import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { createSend, resolvePublicName } from '../src/delivery/send.ts';
import { inTime } from './in-time.ts';
import { waitFor } from './wait-for.ts';

const A = 1;
const LOOPBACK = [127, 0, 0, 1];

/**
 * Imitates a name server (RFC 1035) that resolves `good.test`, reports that `none.test` does not exist, and ignores all
 * other names.
 */
const server = createSocket('udp4');
let unanswered = 0;
server.on('message', (question, { port, address }) => {
  const end = question.indexOf(0, 12);
  const label = question.toString('latin1', 13, 17);
  if (label !== 'good' && label !== 'none') {
    unanswered += 1;
    return;
  }
  const isKnown = label === 'good' && question.readUInt16BE(end + 1) === A;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(label === 'none' ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(isKnown ? 1 : 0, 6);
  header.fill(0, 8);
  const record = isKnown ? Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...LOOPBACK]) : Buffer.alloc(0);
  server.send(Buffer.concat([header, question.subarray(12, end + 5), record]), port, address);
});

const usual = getServers();
beforeAll(async () => {
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  setServers([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => {
  setServers(usual);
  server.close();
});

let receiver: Bun.Server<undefined>;
beforeEach(() => {
  receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('thanks') });
});
afterEach(() => receiver.stop(true));

const TIMEOUT_MS = 3000;
const send = createSend({ allowPrivate: true, resolve: resolvePublicName, timeoutMs: TIMEOUT_MS });
const sendTo = (name: string) => send({ url: `http://${name}:${receiver.port}/`, headers: {}, body: '{}' });

const lookUpBesideSixty = async () => {
  unanswered = 0;
  const silent = Promise.all(Array.from({ length: 60 }, (_, index) => sendTo(`silent${index}.test`)));
  await waitFor('all names are queried', () => unanswered >= 60);
  const silentEnded = silent.then(() => 'the silent first');
  const good = sendTo('good.test');
  expect(await Promise.race([good.then(() => 'the good one first'), silentEnded])).toBe('the good one first');
  expect((await good).isDelivered).toBe(true);
  for (const outcome of await silent) {
    expect(outcome).toMatchObject({ isDelivered: false, responseBody: 'no response within 3 seconds' });
  }
};
test('a name resolves while 60 others wait for silent name servers, and those time out', () =>
  inTime(TIMEOUT_MS, lookUpBesideSixty));

test('a name that does not exist resolves to no address', () =>
  inTime(TIMEOUT_MS, async () => {
    expect(await sendTo('none.test')).toMatchObject({
      isDelivered: false,
      responseBody: 'not reached: the host name does not resolve to an address that webhooks may call',
    });
  }));
