import { tryTo } from '../../kernel/runtime.ts';

const NODE = /^rediss?:\/\/(?:[^%\s,/?#]|%[0-9a-f]{2})+(?:\/\d*)?$/i;
const SENTINELS = /^(rediss?)\+sentinel:(\/\/(?:[^@/]*@)?)([^@/]+)\/([\w.-]+)(?:\/(\d+))?$/i;

const readUrls = (text: string): { urls: URL[]; master?: string } | undefined => {
  const [, scheme, start, hosts = '', master, db = ''] = SENTINELS.exec(text) ?? [];
  const urls = master ? hosts.split(',').map((host) => `${scheme}:${start}${host}/${db}`) : text.split(',');
  if (!urls.every((url) => NODE.test(url) && URL.canParse(url))) return undefined;
  return { urls: urls.map((url) => new URL(url)), ...(master && { master }) };
};

const isMixed = ([first, ...others]: readonly URL[]): boolean =>
  others.some(
    ({ protocol, username, password }) =>
      protocol !== first?.protocol ||
      ((username || password) && (username !== first.username || password !== first.password)),
  );

export const explainRedisUrl = (text: string): string =>
  isMixed(readUrls(text)?.urls ?? [])
    ? 'must not mix redis:// and rediss://, or different users or passwords: all nodes use the user and password of the first node'
    : 'must be redis://<host>:<port>, several of these separated by commas, or redis+sentinel://<host>:<port>,…/<master>';

/**
 * The first node's user and password are used for all nodes. A list in which only some nodes use TLS is refused,
 * because the password would be sent unencrypted to the other nodes.
 */
export const parseRedisUrl = (text: string) => {
  const { urls = [], master } = readUrls(text) ?? {};
  const [first] = urls;
  if (!first || isMixed(urls) || urls.some(({ port }) => port === '0')) return undefined;
  const [username, password] = [first.username, first.password].map((text) => tryTo(() => decodeURIComponent(text)));
  if (username === undefined || password === undefined) return undefined;
  return {
    nodes: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (master ? 26_379 : 6379),
    })),
    db: Number(first.pathname.slice(1)),
    ...(master && { master }),
    ...(username && { username }),
    ...(password && { password }),
    ...(first.protocol === 'rediss:' && { tls: {} }),
  };
};

export type RedisAddress = NonNullable<ReturnType<typeof parseRedisUrl>>;
