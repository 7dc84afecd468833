import type { BlockList } from 'node:net';

type Net = typeof import('node:net');

let net: Net | undefined;

/** Loaded when the first address is looked at: it brings all streams of the runtime along, which takes 10 ms of a start. */
const loaded = (): Net => {
  net ??= process.getBuiltinModule('node:net');
  return net;
};

/** 4 or 6, or 0 for what is no address. */
export const isIP = (text: string): number => loaded().isIP(text);

/** A set of addresses and networks. */
export const createBlockList = (): BlockList => new (loaded().BlockList)();
