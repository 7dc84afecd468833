import { describe, expect, test } from 'bun:test';
import { streamEventsContract } from '../../src/resources/events/events.contracts.ts';
import { createKeyContract } from '../../src/resources/keys/keys.contracts.ts';
import { createPetContract, getPetContract, listPetsContract } from '../../src/resources/pets/pets.contracts.ts';
import { createWebhookContract, rotateWebhookSecretContract } from '../../src/resources/webhooks/webhooks.contracts.ts';
import { samplesOf } from './samples.ts';

const sample = (way: string, request: Parameters<typeof samplesOf>[0]): string | undefined =>
  samplesOf(request).find((each) => each.way === way)?.text;

const body = (value: unknown) => ({ type: 'application/json', value });
const call = (request: Parameters<typeof samplesOf>[0]) => sample('client', request)?.split('\n').slice(6).join('\n');

describe('a sample for curl', () => {
  test('has method, address, key and body, quoted for the shell', () => {
    const request = { contract: createPetContract, path: {}, body: body({ name: "Rex's { friend", tags: ['a', 1] }) };
    expect(sample('curl', request)).toBe(
      [
        'curl -X POST \\',
        '  "$PETSTORE_URL/v1/pets" \\',
        '  -H "Authorization: Bearer $API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        String.raw`  -d '{"name": "Rex'\''s { friend", "tags": ["a", 1]}'`,
      ].join('\n'),
    );
  });

  test('has the parameters of the path in their places', () => {
    expect(sample('curl', { contract: getPetContract, path: { petId: 7 } })).toContain('"$PETSTORE_URL/v1/pets/7"');
  });

  test('has the filters in the address', () => {
    expect(sample('curl', { contract: listPetsContract, path: {}, query: { status: 'sold' } })).toContain(
      '"$PETSTORE_URL/v1/pets?status=sold"',
    );
  });

  test('has a long body on several lines', () => {
    const value = { name: 'A name that is too long for one line', tags: ['a', 'b'], limits: {} };
    expect(sample('curl', { contract: createPetContract, path: {}, body: body(value) })).toEndWith(
      [
        "  -d '{",
        '    "name": "A name that is too long for one line",',
        '    "tags": ["a", "b"],',
        '    "limits": {}',
        "  }'",
      ].join('\n'),
    );
  });

  test('of a stream disables buffering', () => {
    expect(sample('curl', { contract: streamEventsContract, path: {} })).toStartWith('curl -N \\\n  "');
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
      [
        'const result = await petstore.pets.create({',
        String.raw`  name: 'Rex\'s',`,
        "  tags: ['a'],",
        '  limits: { perDay: 1 },',
        '});',
      ].join('\n'),
    );
  });

  test('passes ids first, and joins names of several words', () => {
    expect(call({ contract: rotateWebhookSecretContract, path: { webhookId: 'wh_1' } })).toBe(
      "const result = await petstore.webhooks.rotateSecret('wh_1');",
    );
  });

  test('iterates over lists', () => {
    expect(call({ contract: listPetsContract, path: {}, query: { status: 'sold' } })).toStartWith(
      "for await (const each of petstore.pets.list({\n  status: 'sold',\n})) {",
    );
  });
});

describe('a sample for the command line', () => {
  const command = (request: Parameters<typeof samplesOf>[0]) =>
    sample('terminal', request)?.split('\n').slice(2).join('\n');

  test('names the service and the key first', () => {
    expect(sample('terminal', { contract: getPetContract, path: { petId: 1 } })).toStartWith(
      'export PETSTORE_URL="$PETSTORE_URL"\nexport PETSTORE_API_KEY="$API_KEY"\n',
    );
  });

  test('is the example from the help of the command', () => {
    expect(command({ contract: createKeyContract, path: {} })).toBe(
      "petstore keys create --name 'Front desk' --plan pro",
    );
  });

  test('has one flag per line if it is long', () => {
    expect(command({ contract: createWebhookContract, path: {} })).toBe(
      'petstore webhooks create \\\n  --url https://shop.example/hooks \\\n  --events pet.created',
    );
  });

  test('of a stream follows the events', () => {
    expect(command({ contract: streamEventsContract, path: {} })).toStartWith('petstore events follow');
  });

  test('fails for an operation that the command line does not know', () => {
    const contract = { ...getPetContract, id: 'adoptPet', command: 'pets adopt' as const };
    expect(() => samplesOf({ contract, path: { petId: 1 } })).toThrow('the command line has no command for adoptPet');
  });
});
