import { readRows } from './database.ts';
import type { Service, TestResponse } from './service.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

export const shown = ({ headers }: Pick<TestResponse, 'headers'>) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: Number(headers.get('x-ratelimit-reset')),
});

export const left = ({ headers }: Pick<TestResponse, 'headers'>): number[] =>
  [...(headers.get('ratelimit') ?? '').matchAll(/;r=(\d+)/g)].map(([, remaining]) => Number(remaining));

const word = ({ status, body }: TestResponse): string => (status < 300 ? 'admitted' : body.code);

export const together = async (
  requests: number,
  send: () => Promise<TestResponse>,
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const response of await Promise.all(Array.from({ length: requests }, send))) {
    counts[word(response)] = (counts[word(response)] ?? 0) + 1;
  }
  return counts;
};

/**
 * The probe's requests claim to come from many addresses, so the service must trust `X-Forwarded-For` from 127.0.0.1.
 */
export const createLimitProbe = (service: Service) => {
  const ask = (key: string) => service.get('/v1/pets', { key });
  return {
    ask,
    custom: (perMinute: number, perDay = 1_000_000) =>
      service.issueKey({ plan: 'enterprise', limits: { perMinute, perDay } }),
    async codes(key: string, requests: number): Promise<string[]> {
      const answers: string[] = [];
      for (let sent = 0; sent < requests; sent += 1) answers.push(word(await ask(key)));
      return answers;
    },
    stranger: (from: string, key: string | null = null) =>
      service.get('/v1/pets', { key, headers: { 'X-Forwarded-For': from } }),
    secondsFromNow: (ms: number) => Math.ceil((service.clock() + ms) / SECOND),
    rows: (query: string, ...values: string[]) => readRows(service.place, query, ...values),
  };
};

export type LimitProbe = ReturnType<typeof createLimitProbe>;
