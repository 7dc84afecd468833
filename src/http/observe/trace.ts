import type { RandomBytes } from '../../kernel/ids.ts';

export type Trace = { traceId: string; spanId: string; parentId: string | undefined; flags: string };

/** Also matches later versions, which begin with the fields of version 00 (W3C Trace Context, section 3.2.4). */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const SAMPLED = 1;
const KNOWN = 3;

const readTraceparent = (header: string | null): Pick<Trace, 'traceId' | 'parentId' | 'flags'> | undefined => {
  const [, version, traceId, parentId, flags, more] = (header !== null && TRACEPARENT.exec(header)) || [];
  if (traceId === undefined || flags === undefined || (version === '00' && more)) return undefined;
  return { traceId, parentId, flags: `0${Number.parseInt(flags, 16) & KNOWN}` };
};

export const createTraces =
  (randomBytes: RandomBytes, beginsOwn: boolean) =>
  (header: string | null): Trace | undefined => {
    const received = readTraceparent(header);
    if (received) return { ...received, spanId: randomBytes(8).toHex() };
    if (!beginsOwn) return undefined;
    const ids = randomBytes(24).toHex();
    return { traceId: ids.slice(0, 32), spanId: ids.slice(32), parentId: undefined, flags: '01' };
  };

export const formatTraceparent = ({ traceId, spanId, flags }: Trace): string => `00-${traceId}-${spanId}-${flags}`;

export const isSampled = ({ flags }: Trace): boolean => (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
