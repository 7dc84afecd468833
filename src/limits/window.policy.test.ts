import { expect, test } from 'bun:test';
import { keySubject, missingPageSubject, pageSubject, selfSubject, strangerSubject } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('a key has a minute and a day window, and bans of two minutes to a day', () => {
  expect(keySubject({ keyId: 'key_one', limits: { perMinute: 60, perDay: 1000 } })).toEqual({
    id: 'key_one',
    windows: [
      { name: 'minute', limit: 60, lengthMs: MINUTE },
      { name: 'day', limit: 1000, lengthMs: DAY },
    ],
    ban: { refusals: 60, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
  });
});

test('requests of a key about itself, addresses and page readers each have a minute window and no bans', () => {
  const minute = (limit: number) => [{ name: 'minute', limit, lengthMs: MINUTE }];
  expect(selfSubject({ keyId: 'key_one' })).toEqual({ id: 'self:key_one', windows: minute(60) as never });
  expect(strangerSubject('::/64')).toEqual({ id: 'address:::/64', windows: minute(600) as never });
  expect(pageSubject('::/64')).toEqual({ id: 'pages:::/64', windows: minute(600) as never });
  expect(missingPageSubject('::/64')).toEqual({ id: 'missing:::/64', windows: minute(600) as never });
});
