import { describe, expect, test } from 'bun:test';
import { Conflict, ConnectionLost, PetstoreError, TimedOut } from '../../client/src/index.ts';
import { messageOf } from './error-message.ts';

const IN_DOUBT = 'The service did not answer. The change may have been made: check before you try again.';

describe('the message about an error', () => {
  test('is in plain words if the service did not answer', () => {
    const errors = [
      new ConnectionLost('the connection to http://127.0.0.1/v1 failed', { code: 'connection_lost' }),
      new TimedOut('no response within 30000 ms', { code: 'timed_out' }),
      new PetstoreError('the server is not a petstore service', { code: 'unexpected_answer', status: 502 }),
      new TypeError('Failed to fetch'),
    ];
    for (const error of errors) {
      expect(messageOf(error)).toBe(IN_DOUBT);
      expect(messageOf(error, true)).toBe('The service did not answer.');
    }
  });

  test('is the message of the service, or of the console, in any other case', () => {
    const refused = new Conflict('Order 5 holds pet 7.', { code: 'pet_held', status: 409 });
    expect([messageOf(refused), messageOf(new Error('pets.csv is empty.'))]).toEqual([
      'Order 5 holds pet 7.',
      'pets.csv is empty.',
    ]);
  });
});
