import { describe, expect, test } from 'bun:test';
import type { Delivery, HealthSeries, Webhook } from '../../client/src/index.ts';
import { readMetrics } from './metrics-text.ts';
import { readState } from './state.ts';
import { texts } from './texts.ts';
import { warningsOf, webhookWarnings } from './warnings.ts';

const CALM = {
  ...{ requestsPerSecond: [10], serverErrorsPerSecond: [0], shedPerSecond: [0], durationP99Ms: [5] },
  ...{ writeWaitMs: [0], eventLagMs: [null], webhookLagMs: [0], diskFreeBytes: [9e9], databaseBytes: [1e6] },
};
const health = (series: object = {}) => ({ series: { ...CALM, ...series } }) as unknown as HealthSeries;
const METRICS = ['petstore_database_up 1', 'petstore_database_damaged 0', 'petstore_backup_age_seconds 3600'];
const state = (...lines: string[]) => readState(readMetrics([...lines, ...METRICS].join('\n')));
const said = (...of: Parameters<typeof warningsOf>) => warningsOf(...of).map(({ text }) => text);

describe('the health of the service', () => {
  test('has no warnings if all is well', () => {
    expect(warningsOf(health(), state())).toEqual([]);
    expect(warningsOf(undefined, undefined)).toEqual([]);
  });

  test.each([
    [{ serverErrorsPerSecond: [0.2] }, texts.warnings.failing(0.02)],
    [{ durationP99Ms: [1001] }, texts.warnings.slow(1001)],
    [{ shedPerSecond: [3] }, texts.warnings.shedding(3)],
    [{ writeWaitMs: [1500] }, texts.warnings.writesWait(1500)],
    [{ eventLagMs: [6000] }, texts.warnings.eventsLate(6000)],
    [{ webhookLagMs: [240_000] }, texts.warnings.webhooksLate(240_000)],
    [{ diskFreeBytes: [8e8] }, texts.warnings.disk(8e8)],
  ])('warns of %j', (series, text) => {
    expect(said(health(series), state())).toEqual([text]);
  });

  test('does not warn at the threshold', () => {
    const atMost = { serverErrorsPerSecond: [0.1], durationP99Ms: [1000], writeWaitMs: [1000], eventLagMs: [5000] };
    expect(said(health({ ...atMost, webhookLagMs: [60_000], diskFreeBytes: [2e9] }), state())).toEqual([]);
  });

  test.each([
    [['petstore_database_up 0'], 'bad', texts.warnings.readOnly],
    [['petstore_database_up 0', 'petstore_database_damaged 1'], 'bad', texts.warnings.damaged],
    [['petstore_redis_up 0'], 'warn', texts.warnings.redis],
    [['petstore_backup_age_seconds 172800'], 'warn', texts.warnings.oldBackup(172_800_000)],
  ])('warns of %j', (lines, tone, text) => {
    expect(warningsOf(health(), state(...lines))).toMatchObject([{ tone, text }]);
  });

  test('warns of a failed backup until the next one succeeds', () => {
    const [failed, done] = [{ state: 'failed' } as const, { state: 'done' } as const];
    expect(said(health(), state(), [failed, done])).toEqual([texts.warnings.failedBackup]);
    expect(said(health(), state(), [done, failed])).toEqual([]);
  });

  test('does not ask for backups of test data, but warns of a failed one', () => {
    const none = readState(readMetrics('petstore_database_up 1'));
    const old = state('petstore_backup_age_seconds 172800');
    for (const backup of [none, old]) expect(said(health(), backup, [], false)).toEqual([]);
    expect(said(health(), none, [{ state: 'failed' }], false)).toEqual([texts.warnings.failedBackup]);
  });

  test('asks for backups only if the service has a database file', () => {
    const none = readState(readMetrics('petstore_database_up 1'));
    expect(said(health(), none)).toEqual([texts.warnings.noBackup]);
    expect(said(health({ databaseBytes: [null], diskFreeBytes: [null] }), none)).toEqual([]);
  });

  test('warns of failing and disabled webhooks, but not of one that someone turned off', () => {
    const watched = (host: string, change: Partial<Webhook>, ...states: Delivery['state'][]) => ({
      webhook: { id: host, url: `https://${host}/hook`, enabled: true, disabledReason: null, ...change } as Webhook,
      latest: states.map((state) => ({ state, attempt: 1 }) as Delivery),
    });
    const warnings = webhookWarnings([
      watched('well.example', {}, 'pending', 'delivered'),
      watched('ill.example', {}, 'pending'),
      watched('gone.example', { enabled: false, disabledReason: 'gone' }),
      watched('off.example', { enabled: false, disabledReason: 'switched_off' }),
    ]);
    expect(warnings).toEqual([
      { tone: 'warn', text: 'Deliveries to ill.example/hook are failing.' },
      { tone: 'warn', text: 'gone.example/hook is not receiving events.' },
    ]);
  });
});
