import type { RequestContext } from '../context.ts';
import { networkOf } from '../input/client-address.ts';

/** Whose request it is: that of a key that is known, or of an address. */
export type ClientIdentity = { name: string; isKnown: boolean; mayWrite: boolean };

const READING = ['GET', 'HEAD', 'OPTIONS'];

type Recognise = (authorization: string | null) => string | undefined;

/** Who sends a request, as far as that is known without looking anything up. */
export const createIdentifyClient =
  (recognise: Recognise) =>
  ({ request, caller, address }: RequestContext): ClientIdentity => {
    const keyId = caller?.keyId ?? recognise(request.headers.get('authorization'));
    const mayWrite = !READING.includes(request.method);
    return keyId === undefined
      ? { name: networkOf(address), isKnown: false, mayWrite }
      : { name: keyId, isKnown: true, mayWrite };
  };
