import { isIP } from '../../kernel/builtins.ts';

const PORT = /:[0-9]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/;
const nameOf = (host: string): string =>
  host
    .replace(PORT, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(nameOf(host));

const EVERYWHERE = ['0.0.0.0', '::'];

const addressesHere = (): string[] =>
  Object.values(process.getBuiltinModule('node:os').networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );

/** A caller can send any Host header. The service trusts only loopback names and the addresses that it listens on. */
export const createOwnHost =
  (listensOn: string) =>
  (host: string): boolean => {
    const name = nameOf(host);
    if (isLoopbackHost(host) || name === listensOn.toLowerCase()) return true;
    return EVERYWHERE.includes(listensOn) && isIP(name) !== 0 && addressesHere().includes(name);
  };

/** In a DNS rebinding attack, the Origin and Host headers match, so comparing them with each other is not enough. */
export const createOwnOrigin = ({ publicUrl, listensOn }: { publicUrl: string | undefined; listensOn: string }) => {
  const isOwnHost = createOwnHost(listensOn);
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (origin: string, host: string): boolean =>
    origin === publicOrigin || ([`http://${host}`, `https://${host}`].includes(origin) && isOwnHost(host));
};
