import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { contractsIn } from '../../src/contracts.ts';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import { readCurl } from '../../test/read-curl.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { failuresOf } from '../openapi/failures.ts';

let service: Service;
let reference: string;
let errors: string;
beforeAll(async () => {
  service = await startService();
  reference = (await service.get('/docs', { key: null })).text;
  errors = (await service.get('/docs/errors', { key: null })).text;
});
afterAll(() => service.stop());

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const idsOf = (text: string): string[] => all(text, / id="([^"]*)"/g);

const partOf = (id: string): string => {
  const start = reference.indexOf(`<details class="operation" id="${id}"`);
  expect(start).toBeGreaterThan(0);
  return reference.slice(start, reference.indexOf('<details class="operation"', start + 1));
};

const text = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

describe('the reference page', () => {
  test.each(contractsIn('production').map((contract) => [contract.id, contract] as const))(
    'describes %s: name, path, input and errors',
    (id, contract) => {
      const part = partOf(id);
      expect(text(part)).toContain(contract.summary);
      expect(part).toContain(`data-method="${contract.method}" data-path="${contract.path}"`);
      const parameters = all(part, /<li data-name="([^"]*)"/g);
      expect(parameters).toEqual(
        expect.arrayContaining(Object.keys({ ...contract.input.path, ...contract.input.query })),
      );
      for (const name of Object.keys(contract.input.body?.shape ?? {})) expect(part).toContain(`<b>${name}</b>`);
      expect(all(part, /href="docs\/errors#(\w+)"/g).sort()).toEqual([...failuresOf(contract)].sort());
    },
  );

  test('describes every event type that is sent', () => {
    expect(idsOf(reference)).toEqual(expect.arrayContaining(EVENT_TYPES.map((type) => `sent-${type}`)));
  });

  test('opens with every part closed', () => {
    expect(reference).not.toMatch(/<details[^>]* open/);
  });

  test('has unique anchors and no dead links', () => {
    const ids = idsOf(reference);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(all(reference, /href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([]);
    expect(all(reference, /href="docs\/errors#([^"]*)"/g).filter((id) => !idsOf(errors).includes(id))).toEqual([]);
  });

  test('has curl samples that the service accepts', async () => {
    for (const id of ['createPet', 'listPets', 'createKey', 'getInventory', 'getUsage']) {
      const [line = ''] = all(partOf(id), /<code data-base>(curl [^<]*)<\/code>/g).map(text);
      const shell = line.replaceAll(' \\\n', '').replace('$PETSTORE_URL', 'http://127.0.0.1:8080');
      const { method, path, headers, body } = readCurl(shell, { API_KEY: ADMIN_KEY });
      const answer = await service.call(method, path, { key: null, headers, body });
      expect({ id, status: answer.status, text: answer.status < 300 || answer.text }).toMatchObject({ id, text: true });
    }
  });

  test('has the public URL in its samples if one is set, as text and never as markup', async () => {
    const published = await startService({ environment: { PETSTORE_PUBLIC_URL: 'https://api.example.org/<b>pets' } });
    const { text } = await published.get('/docs', { key: null });
    await published.stop();
    expect(text).toContain(' data-base="https://api.example.org/&#60;b&#62;pets"');
  });
});

describe('the errors page', () => {
  test.each(Object.keys(FAILURES))('has an anchor for %s, the target of a problem’s type', (code) => {
    expect(idsOf(errors)).toContain(code);
  });

  test('links to the operations that return each code', () => {
    const named = all(errors, /href="\.\.\/docs#([^"]*)"/g);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !idsOf(reference).includes(id))).toEqual([]);
  });
});
