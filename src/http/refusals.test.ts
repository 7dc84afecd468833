import { describe, expect, test } from 'bun:test';
import type { Contract } from '../kernel/contract.ts';
import type { Caller } from '../kernel/operation.ts';
import { hasTwoHosts, OVERLOADED, refuseRemoved, refuseScope, refuseUnpayable, TWO_HOSTS } from './refusals.ts';

const caller = (fields: Partial<Caller>): Caller => ({
  keyId: 'key_one',
  storeId: 1n,
  scopes: ['pets:read'],
  limits: { perMinute: 60, perDay: 1000 },
  endsAt: null,
  ...fields,
});
const refused = (code: string, words = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });

describe('a refusal', () => {
  test('meets two hosts, which arrive joined by a comma, and says that of the header', () => {
    expect([hasTwoHosts('a.example:80'), hasTwoHosts('a.example,b.example')]).toEqual([false, true]);
    const faults = [{ header: 'Host', detail: 'must be given only once' }];
    expect(TWO_HOSTS).toMatchObject({ code: 'invalid_request', faults });
  });

  test('meets whoever lacks the scope, and nobody where any key will do', () => {
    expect(() => refuseScope({ id: 'listPets', scope: 'pets:read' }, caller({}))).not.toThrow();
    expect(() => refuseScope({ id: 'getMyKey', scope: 'any key' }, caller({ scopes: [] }))).not.toThrow();
    expect(() => refuseScope({ id: 'createPet', scope: 'pets:write' }, caller({}))).toThrow(
      refused('insufficient_scope', 'pets:write'),
    );
  });

  test('meets a removed operation from the instant of its sunset on', () => {
    const sunset = new Date('2027-03-01T00:00:00Z');
    const contract = { id: 'getPet', deprecation: { sunset, successor: 'listPets' } } as Contract;
    const at = sunset.getTime();
    expect(() => refuseRemoved(contract, at - 1)).not.toThrow();
    expect(() => refuseRemoved(contract, at)).toThrow(
      refused('operation_removed', 'was removed on 2027-03-01. Use listPets'),
    );
    expect(() => refuseRemoved({ id: 'listPets' } as Contract, at)).not.toThrow();
  });

  test('meets what no window could ever hold beside the request itself, by the smaller of the two', () => {
    const few = caller({ limits: { perMinute: 5, perDay: 1000 } });
    expect(() => refuseUnpayable(4, few)).not.toThrow();
    expect(() => refuseUnpayable(5, few)).toThrow(refused('invalid_request', 'costs 6 requests, and the key has 5'));
    expect(() => refuseUnpayable(5, caller({ limits: { perMinute: 1000, perDay: 5 } }))).toThrow();
  });

  test('for overload asks to come back in a second', () => {
    expect(OVERLOADED).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  });
});
