/** The address of Redis, as ioredis expects it. If `master` is set, the nodes are Sentinels that watch this master. */
export type RedisAddress = {
  nodes: { host: string; port: number }[];
  master?: string;
  db: number;
  username?: string;
  password?: string;
  tls?: Record<string, never>;
};

const NODE = /^rediss?:\/\/(?:[^%\s,/?#]|%[0-9a-f]{2})+(?:\/\d*)?$/i;
const SENTINELS = /^(rediss?)\+sentinel:(\/\/(?:[^@/]*@)?)([^@/]+)\/([\w.-]+)(?:\/(\d+))?$/i;

/**
 * Parses `redis://host:port/0`, several such addresses separated by commas, or `redis+sentinel://host:port,…/master/0`.
 * `rediss` means TLS. All nodes share the first node's user and password. Returns undefined for any other text.
 */
export const parseRedisUrl = (text: string): RedisAddress | undefined => {
  const [, scheme, start, hosts = '', master, db = ''] = SENTINELS.exec(text) ?? [];
  const urls = master ? hosts.split(',').map((host) => `${scheme}:${start}${host}/${db}`) : text.split(',');
  if (!urls.every((url) => NODE.test(url) && URL.canParse(url))) return undefined;
  const nodes = urls.map((url) => new URL(url));
  const [{ username, password, protocol, pathname }] = nodes as [URL];
  return {
    nodes: nodes.map(({ hostname, port }) => ({
      // A URL has brackets around an IPv6 address, which ioredis does not accept.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (master ? 26_379 : 6379),
    })),
    db: Number(pathname.slice(1)),
    ...(master && { master }),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
};
