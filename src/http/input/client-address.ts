import type { BlockList } from 'node:net';
import { createBlockList, isIP } from '../../kernel/builtins.ts';
import type { Write } from '../../kernel/log.ts';
import { copyText } from '../../kernel/runtime.ts';

const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

const groupsIn = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const groupsOf = (address: string): number[] => {
  const hex = address
    .replace(/%.*$/, '')
    .replace(DOTTED_TAIL, (_, ...bytes) =>
      [0, 2].map((at) => (Number(bytes[at]) * 256 + Number(bytes[at + 1])).toString(16)).join(':'),
    );
  const [head = '', tail] = hex.split('::');
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
};

const plain = (address: string): string => {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return address.replace(/%.*$/, '');
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

export const parseTrusted = (list: string): BlockList | undefined => {
  const trusted = createBlockList();
  for (const item of list.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...rest] = item.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
    if (isIP(address) === 0 || !isLength || rest.length > 0) return undefined;
    trusted.addSubnet(address, bits === undefined ? longest : Number(bits), family(address));
  }
  return trusted;
};

/** Some proxies add a port to the addresses in `X-Forwarded-For`, and put IPv6 addresses in brackets. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/, '$1$2');

const isTrusted = (socket: string, trusted: BlockList | undefined): boolean => {
  const address = plain(socket);
  return trusted?.check(address, family(address)) ?? false;
};

// If the header has more characters than this, the address is copied. The address may be kept for an hour, and a
// substring that is not copied would keep the whole header in memory.
const MAX_KEPT = 200;

/** Returns the rightmost untrusted address in `X-Forwarded-For`. A client can forge the entries to the left of it. */
export const clientAddress = (socket: string, forwardedFor: string | null, trusted: BlockList | undefined): string => {
  let nearest = socket.includes(':') ? plain(socket) : socket;
  for (const hop of forwardedFor?.split(',').reverse() ?? []) {
    const address = plain(withoutPort(hop.trim()));
    if (!isTrusted(nearest, trusted) || isIP(address) === 0) break;
    nearest = address;
  }
  return forwardedFor !== null && forwardedFor.length > MAX_KEPT ? copyText(nearest) : nearest;
};

/** An IPv6 subscriber usually gets a whole /64 network, so callers without a key share one rate limit per /64. */
export const networkOf = (address: string): string => {
  const known = plain(address);
  if (isIP(known) !== 6) return known;
  const network = groupsOf(known).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
};

type BaseUrlDeps = { publicUrl: string | undefined; trusted: BlockList | undefined; warn: Write };

const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/i;
const LONGEST_HOST = 260;

const isHost = (host: string): boolean =>
  host.length <= LONGEST_HOST && HOST.test(host) && URL.canParse(`http://${host}`);

const ADVICE = {
  forwarded_proto_missing:
    'The trusted proxy does not send X-Forwarded-Proto, so links begin with http://. Configure the proxy to send that header, or set PETSTORE_PUBLIC_URL.',
  forwarded_proto_not_trusted:
    'X-Forwarded-Proto: https came from an untrusted address, so links begin with http://. Add the proxy to PETSTORE_TRUST_PROXY, or set PETSTORE_PUBLIC_URL.',
};

export const createBaseUrl = ({ publicUrl, trusted, warn }: BaseUrlDeps) => {
  const logged = new Set<string>();
  let last = { host: '', isSecure: false, base: '' };

  const advise = (doubt: keyof typeof ADVICE, address: string): void => {
    if (logged.has(doubt)) return;
    logged.add(doubt);
    warn(doubt, { address, advice: ADVICE[doubt] });
  };

  /** Each proxy may append the protocol that its own client used. The first entry is the original caller's protocol. */
  const isSecureFor = (proto: string, socket: string): boolean => {
    if (!/^https *(?:,|$)/i.test(proto)) return false;
    if (isTrusted(socket, trusted)) return true;
    advise('forwarded_proto_not_trusted', socket);
    return false;
  };

  return ({ headers }: Request, host: string, socket: string): string => {
    if (publicUrl !== undefined) return publicUrl;
    const proto = headers.get('x-forwarded-proto');
    const isSecure = proto !== null && isSecureFor(proto, socket);
    // A proxy's own health checks have no `X-Forwarded-For`, and must not cause this warning.
    if (proto === null && trusted && headers.has('x-forwarded-for') && isTrusted(socket, trusted)) {
      advise('forwarded_proto_missing', socket);
    }
    if (host !== last.host || isSecure !== last.isSecure) {
      last = { host, isSecure, base: isHost(host) ? `${isSecure ? 'https' : 'http'}://${host}` : '' };
    }
    return last.base;
  };
};
