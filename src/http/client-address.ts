import { BlockList, isIP } from 'node:net';

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An address in its shortest spelling; an IPv4 address that travels in IPv6 clothes as what it is. */
const plain = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [unscoped = ''] = address.split('%');
  const shortest = new URL(`http://[${unscoped}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return shortest;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A set of trusted addresses and networks, or undefined if one of them is neither. */
export const parseTrusted = (list: string): BlockList | undefined => {
  const trusted = new BlockList();
  for (const item of list.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...rest] = item.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
    if (isIP(address) === 0 || !isLength || rest.length > 0) return undefined;
    trusted.addSubnet(address, bits === undefined ? longest : Number(bits), family(address));
  }
  return trusted;
};

/**
 * Who is calling: the socket's address, or, behind proxies that are trusted, the nearest address in `X-Forwarded-For`
 * that is not one of theirs. Anything further left was written by the caller.
 */
export const clientAddress = (socket: string, forwardedFor: string | null, trusted: BlockList | undefined): string => {
  const isTrusted = (address: string) => trusted?.check(address, family(address)) ?? false;
  let nearest = plain(socket);
  for (const hop of forwardedFor?.split(',').reverse() ?? []) {
    const address = plain(hop.trim());
    if (!isTrusted(nearest) || isIP(address) === 0) break;
    nearest = address;
  }
  return nearest;
};

/** The network whose strangers are counted together: an IPv4 address, or the /64 that one IPv6 subscriber gets. */
export const networkOf = (address: string): string => {
  const shortest = plain(address);
  if (isIP(shortest) !== 6) return shortest;
  const [head = '', tail] = shortest.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
};
