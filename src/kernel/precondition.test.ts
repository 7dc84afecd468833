import { expect, test } from 'bun:test';
import { etag, refuseStale } from './precondition.ts';

test('a change goes on where nobody asked for a version, or any, or this one among others', () => {
  for (const asked of [undefined, ['*'], ['"7"'], ['"6"', '"7"']]) expect(() => refuseStale(asked, 7n)).not.toThrow();
});

test('a change of another version is refused, and so is one of the same version if the tag is weak', () => {
  for (const asked of [['"6"'], ['W/"7"'], ['7'], []]) {
    expect(() => refuseStale(asked, 7n)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', message: expect.stringContaining(etag(7n)) }),
    );
  }
});
