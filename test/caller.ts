import { parseJson } from '../src/kernel/json.ts';
import { ADMIN_KEY } from './admin-key.ts';

export type Ask = {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
};

export type TestResponse = { status: number; headers: Headers; text: string; body: any };

const encode = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);

export const createCaller = (
  url: (path: string) => string,
  causeOf: (requestId: string) => string | undefined = () => undefined,
) => {
  const call = async (
    method: string,
    path: string,
    { key = ADMIN_KEY, body, headers = {} }: Ask = {},
  ): Promise<TestResponse> => {
    const sent: Record<string, string> = { ...headers };
    if (key !== null) sent.Authorization ??= `Bearer ${key}`;
    if (body !== undefined && !Object.keys(sent).some((name) => name.toLowerCase() === 'content-type')) {
      sent['Content-Type'] = 'application/json';
    }
    const answer = await fetch(url(path), {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: encode(body) }),
    });
    const cause = answer.status === 500 && causeOf(answer.headers.get('x-request-id') ?? '');
    if (cause) console.error(`${method} ${path} returned 500: ${cause}`);
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    if (isStream) await answer.body?.cancel();
    const text = isStream ? '' : await answer.text();
    const isJson = /^application\/(problem\+)?json/.test(answer.headers.get('content-type') ?? '') && text !== '';
    return { status: answer.status, headers: answer.headers, text, body: isJson ? parseJson(text) : undefined };
  };

  return {
    url,
    call,
    get: (path: string, ask?: Ask) => call('GET', path, ask),
    post: (path: string, body: unknown, ask?: Ask) => call('POST', path, { ...ask, body }),

    async issueKey(fields: object = {}): Promise<string> {
      const { body } = await call('POST', '/v1/keys', {
        body: { name: 'test', plan: 'business', storeId: 1, ...fields },
      });
      return body.key;
    },
  };
};

export type Caller = ReturnType<typeof createCaller>;
