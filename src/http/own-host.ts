import { isIP } from '../kernel/addresses.ts';

const PORT = /:[0-9]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/;
const EVERYWHERE = ['0.0.0.0', '::'];

/** Asked anew each time, because addresses come and go while the service runs. */
const addressesHere = (): string[] =>
  Object.values(process.getBuiltinModule('node:os').networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );

/**
 * Whether the Host of a request is known to be this service: a name of the loopback, the address it listens on, or, where
 * it listens everywhere, an address of this machine. Any other is nothing but the caller's word.
 */
export const createOwnHost =
  (listensOn: string) =>
  (host: string): boolean => {
    const name = host
      .replace(PORT, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase();
    if (LOOPBACK.test(name) || name === listensOn.toLowerCase()) return true;
    return EVERYWHERE.includes(listensOn) && isIP(name) !== 0 && addressesHere().includes(name);
  };
