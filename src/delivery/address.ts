import { createBlockList, isIP } from '../kernel/builtins.ts';
import { once } from '../kernel/runtime.ts';

/** Private and reserved ranges from IANA's registry of special-purpose IPv4 addresses. */
const PRIVATE_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';

// All addresses outside 2000::/3, and the special ranges inside 2000::/3. The special ranges include 6to4 and Teredo
// addresses, which can reach private IPv4 networks.
const PRIVATE_6 = '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const createList = (networks: string, family: 'ipv4' | 'ipv6') => {
  const list = createBlockList();
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

// IPv4 and IPv6 have separate lists. In a shared list, ::/3 would block all IPv4 addresses (as ::ffff:a.b.c.d).
const lists = once(() => ({ ipv4: createList(PRIVATE_4, 'ipv4'), ipv6: createList(PRIVATE_6, 'ipv6') }));

export const isPrivate = (address: string): boolean => {
  const [unscoped = ''] = address.split('%');
  const version = isIP(unscoped);
  if (version === 0) return true;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return lists()[family].check(unscoped, family);
};

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const UNFIT = /[\s\p{Cc}\p{Cs}]/u;

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const LONGEST_NAME = 253;

const isHost = (host: string): boolean => {
  const name = host.replace(/\.$/, '');
  return isIP(name) !== 0 || (name.length <= LONGEST_NAME && name.split('.').every((label) => LABEL.test(label)));
};

/** Pattern for the OpenAPI document. It matches some URLs that `urlFault` refuses. */
export const URL_PATTERN = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/\\?#@]*[^\s/\\?#@:]([/\\?][^\s#]*)?$`;

export const urlFault = (text: string): string | undefined => {
  if (UNFIT.test(text) || !URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL';
  // The URL parser also accepts extra slashes, an empty user name and an empty port, so the next checks read the
  // original text.
  const [, authority = ''] = /^https?:\/\/([^/\\?#]*)/i.exec(text) ?? [];
  if (authority === '') return 'must be a URL';
  if (authority.includes('@')) return 'must not contain credentials';
  if (authority.endsWith(':') || !isHost(hostOf(url))) return 'must have a valid host name';
  if (url.port === '0') return 'must not use port 0';
  if (text.includes('#')) return 'must not contain a fragment';
  return undefined;
};

const PRIVATE = 'must not point to a private address';

export const urlPolicyFault = (text: string, allowPrivate: boolean): string | undefined => {
  if (allowPrivate) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'must be an https URL';
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPrivate(host) ? PRIVATE : undefined;
  if (/(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host)) return PRIVATE;
  // A name without a dot could resolve to an internal host, because resolvers append the network's search domains.
  return host.replace(/\.$/, '').includes('.') ? undefined : 'must have a full host name, such as hooks.example.org';
};
