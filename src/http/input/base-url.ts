import type { BlockList } from 'node:net';
import type { Write } from '../../kernel/log.ts';
import { rememberLast } from '../../kernel/memo.ts';
import { isTrusted } from './client-address.ts';

export type BaseUrlDeps = {
  publicUrl: string | undefined;
  /** Proxies whose word on the caller's address and on `https` is taken. */
  trusted: BlockList | undefined;
  warn: Write;
};

const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/i;
/** A name has at most 253 characters, and a port 5. */
const LONGEST_HOST = 260;

const isHost = (host: string): boolean =>
  host.length <= LONGEST_HOST && HOST.test(host) && URL.canParse(`http://${host}`);

/** A host that is none gives relative links. */
const urlAt = (scheme: string) => rememberLast((host: string) => (isHost(host) ? `${scheme}://${host}` : ''));

const ADVICE = {
  forwarded_proto_missing:
    'The trusted proxy does not send X-Forwarded-Proto, so that links begin with http://. Let it send that header, or set PETSTORE_PUBLIC_URL.',
  forwarded_proto_not_trusted:
    'X-Forwarded-Proto: https came from an address that is not trusted, so that links begin with http://. Name the proxy in PETSTORE_TRUST_PROXY, or set PETSTORE_PUBLIC_URL.',
};

/** Tells of each doubt once: a caller could fill the log otherwise. */
const createAdvise = (warn: Write) => {
  const told = new Set<string>();
  return (doubt: keyof typeof ADVICE, address: string): void => {
    if (told.has(doubt)) return;
    told.add(doubt);
    warn(doubt, { address, advice: ADVICE[doubt] });
  };
};

/**
 * Where this service is, as its caller sees it: the public address if one is set, else the Host of the request, with the
 * scheme that a trusted proxy tells.
 */
export const createBaseUrl = ({ publicUrl, trusted, warn }: BaseUrlDeps) => {
  if (publicUrl !== undefined) return () => publicUrl;
  const plain = urlAt('http');
  const secure = urlAt('https');
  const advise = createAdvise(warn);
  const isProxy = rememberLast((socket: string) => isTrusted(socket, trusted));

  return ({ headers }: Request, host: string, socket: string): string => {
    const told = headers.get('x-forwarded-proto');
    if (told === null) {
      // Health checks come from the proxy itself, and are forwarded for nobody.
      if (trusted && isProxy(socket) && headers.has('x-forwarded-for')) advise('forwarded_proto_missing', socket);
      return plain(host);
    }
    // Of several schemes the first is the one that the caller used.
    if (!/^https *(?:,|$)/i.test(told)) return plain(host);
    if (isProxy(socket)) return secure(host);
    advise('forwarded_proto_not_trusted', socket);
    return plain(host);
  };
};
