import { BlockList, isIP } from 'node:net';

/** Reads an IPv4 address that travels in IPv6 clothes as what it is. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A set of trusted addresses and networks, or undefined if one of them is neither. */
export const parseTrusted = (list: string): BlockList | undefined => {
  const trusted = new BlockList();
  for (const item of list.split(',').map((part) => part.trim())) {
    const [address = '', bits] = item.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= longest))) return;
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
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
};
