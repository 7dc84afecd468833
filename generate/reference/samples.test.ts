import { describe, expect, test } from 'bun:test';
import { streamEventsContract } from '../../src/resources/events/events.contracts.ts';
import { createKeyContract } from '../../src/resources/keys/keys.contracts.ts';
import { createPetContract, getPetContract, listPetsContract } from '../../src/resources/pets/pets.contracts.ts';
import { rotateWebhookSecretContract } from '../../src/resources/webhooks/webhooks.contracts.ts';
import { samplesOf } from './samples.ts';

const sample = (way: string, request: Parameters<typeof samplesOf>[0]): string | undefined =>
  samplesOf(request).find((each) => each.way === way)?.text;

const body = (value: unknown) => ({ type: 'application/json', value });
const call = (request: Parameters<typeof samplesOf>[0]) => sample('client', request)?.split('\n').slice(3).join('\n');

describe('a sample for curl', () => {
  test('has method, address, key and body, quoted for the shell', () => {
    const request = { contract: createPetContract, path: {}, body: body({ name: "Rex's { friend", tags: ['a', 1] }) };
    expect(sample('curl', request)).toBe(
      [
        'curl -X POST "$PETSTORE_URL/v1/pets" \\',
        '  -H "Authorization: Bearer $API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        String.raw`  -d '{"name": "Rex'\''s { friend", "tags": ["a", 1]}'`,
      ].join('\n'),
    );
  });

  test('has the parameters of the path in their places', () => {
    expect(sample('curl', { contract: getPetContract, path: { petId: 7 } })).toContain('"$PETSTORE_URL/v1/pets/7"');
  });

  test('of a stream disables buffering', () => {
    expect(sample('curl', { contract: streamEventsContract, path: {} })).toStartWith('curl -N "');
  });
});

describe('a sample for the client', () => {
  test('calls the method of the contract, with the body as an object', () => {
    expect(
      call({
        contract: createPetContract,
        path: {},
        body: body({ name: "Rex's", tags: ['a'], limits: { perDay: 1 } }),
      }),
    ).toBe(
      String.raw`const result = await petstore.pets.create({ name: 'Rex\'s', tags: ['a'], limits: { perDay: 1 } });`,
    );
  });

  test('passes ids first, and joins names of several words', () => {
    expect(call({ contract: rotateWebhookSecretContract, path: { webhookId: 'wh_1' } })).toBe(
      "const result = await petstore.webhooks.rotateSecret('wh_1');",
    );
  });

  test('iterates over lists', () => {
    expect(call({ contract: listPetsContract, path: {} })).toStartWith(
      'for await (const each of petstore.pets.list()) {',
    );
  });
});

describe('a sample for the terminal', () => {
  test('has a flag for every field, even of nested objects, quoted for the shell', () => {
    const value = { name: 'Front desk', limits: { perMinute: 5 }, scopes: ['pets:read', 'pets:write'] };
    expect(sample('terminal', { contract: createKeyContract, path: {}, body: body(value) })).toBe(
      "petstore keys create --name 'Front desk' --per-minute 5 --scopes pets:read,pets:write",
    );
  });

  test('is omitted if the command line has no such command', () => {
    expect(sample('terminal', { contract: streamEventsContract, path: {} })).toBeUndefined();
    expect(
      sample('terminal', { contract: createPetContract, path: {}, body: body({ pets: [{ name: 'Rex' }] }) }),
    ).toBeUndefined();
  });
});
