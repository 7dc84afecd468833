import { describe, expect, test } from 'bun:test';
import { Conflict, ConnectionLost, PetstoreError, TimedOut } from '../../client/src/index.ts';
import { messageOf, plainDetail } from './error-message.ts';

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

  test('has none of the words that only programmers need', () => {
    const errors = [
      new Conflict('Pet 5 is `sold`, which is final. Add a new pet instead (POST /pets).', { code: 'pet_sold' }),
      new Conflict('The resource is no longer at the version in If-Match.', { code: 'precondition_failed' }),
      new Conflict(
        'Pet 5 is `pending`, so it cannot be ordered. List available pets with GET /pets?status=available.',
        {
          code: 'pet_not_available',
        },
      ),
      new Conflict('There is no pet with the id 5. GET /pets lists all pets.', { code: 'not_found' }),
      new Conflict('Wait until it finishes; GET /backups shows its state. Then try again.', { code: 'other' }),
      new Conflict('A backup has been running (GET /backups).', { code: 'backup_in_progress' }),
    ];
    expect(errors.map((error) => messageOf(error))).toEqual([
      'Pet 5 is sold, which is final. Add a new pet instead.',
      'Someone else changed this pet in the meantime. Look at the new values, then try again.',
      'This pet is no longer available. Someone else may have ordered it. Choose another pet.',
      'There is no pet with the id 5.',
      'Wait until it finishes. Then try again.',
      'A backup is already running. Wait until it is done.',
    ]);
    expect(plainDetail('must be an integer from -2^63 to 2^63-1 in plain decimal digits')).toBe(
      'must be a whole number',
    );
  });

  test('is the message of the service, or of the console, in any other case', () => {
    const refused = new Conflict('Order 5 holds pet 7.', { code: 'pet_held', status: 409 });
    expect([messageOf(refused), messageOf(new Error('pets.csv is empty.'))]).toEqual([
      'Order 5 holds pet 7.',
      'pets.csv is empty.',
    ]);
  });
});
