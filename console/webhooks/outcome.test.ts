import { describe, expect, test } from 'bun:test';
import type { Delivery } from '../../client/src/index.ts';
import { failureOf, healthWords, outcomeOf } from './outcome.ts';
import { texts } from './texts.ts';
import { deliveryState, reasonOf, stateOf } from './webhook-state.ts';

const delivery = (state: Delivery['state'], attempt: number) => ({ state, attempt }) as Delivery;

describe('the deliveries of a webhook', () => {
  const ALL = [delivery('delivered', 1), delivery('failed', 9), delivery('pending', 0), delivery('pending', 2)];

  test('have different outcomes', () => {
    expect(ALL.map(outcomeOf)).toEqual(['arrived', 'lost', 'waiting', 'again']);
    expect(new Set(ALL.slice(0, 3).map((one) => deliveryState(one).tone)).size).toBe(3);
  });

  test('are called retrying, not pending, after a failed attempt', () => {
    expect(ALL.map((one) => deliveryState(one).word)).toEqual(['delivered', 'failed', 'pending', 'retrying']);
  });

  test('are failing if the three latest attempts failed, and retrying if only some of them did', () => {
    const tried = (second: number, state: Delivery['state']) =>
      ({ state, attempt: 1, attemptedAt: `2026-01-01T00:00:0${second}.000Z` }) as Delivery;
    const [waiting, early] = [delivery('pending', 0), tried(0, 'delivered')];
    const stateAfter = (...latest: Delivery[]) => stateOf({ enabled: true, disabledReason: null }, latest).word;
    expect([stateAfter(), stateAfter(waiting), stateAfter(waiting, early)]).toEqual(['enabled', 'enabled', 'enabled']);
    expect([stateAfter(tried(1, 'pending')), stateAfter(early, tried(1, 'pending'))]).toEqual(['failing', 'retrying']);
    expect(stateAfter(early, tried(2, 'pending'), tried(1, 'failed'))).toBe('retrying');
    expect(stateAfter(early, tried(3, 'pending'), tried(1, 'failed'), tried(2, 'pending'))).toBe('failing');
    expect(stateAfter(tried(1, 'failed'), tried(2, 'delivered'))).toBe('enabled');
  });

  test('say in words why there was no response', () => {
    const why = (responseBody: string | null, change: Partial<Delivery> = {}) =>
      failureOf({ state: 'pending', attempt: 1, responseStatus: null, responseBody, ...change } as Delivery);
    const refused = { words: 'The endpoint refused the connection', code: 'ECONNREFUSED' };
    expect(why('not reached: ECONNREFUSED')).toEqual(refused);
    expect(why('not reached: ENEW')).toEqual({ words: texts.otherFailure, code: 'ENEW' });
    expect(why('not reached: the connection failed')).toEqual({ words: 'The connection failed' });
    expect(why('no response within 3 seconds')).toEqual({ words: 'No response within 3 seconds' });
    expect([why(null), why('sorry', { responseStatus: 500 })]).toEqual([undefined, undefined]);
  });

  test('are summarized without outcomes that did not occur', () => {
    const { arrived, lost } = texts.health.outcomes;
    expect(healthWords([])).toBe(texts.health.none);
    expect(healthWords(ALL.slice(0, 2))).toBe(texts.health.last(2, [`1 ${arrived}`, `1 ${lost}`]));
  });
});

describe('a disabled webhook', () => {
  test('looks bad, unless its owner switched it off', () => {
    const toneOf = (enabled: boolean, disabledReason: Parameters<typeof stateOf>[0]['disabledReason']) =>
      stateOf({ enabled, disabledReason }).tone;
    expect([toneOf(true, null), toneOf(false, 'switched_off'), toneOf(false, 'gone')]).toEqual([
      'good',
      'plain',
      'bad',
    ]);
    expect([reasonOf({ disabledReason: null }), reasonOf({ disabledReason: 'gone' })]).toEqual([
      '',
      texts.reasons.gone,
    ]);
  });
});
