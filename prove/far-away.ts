import { startProxy } from '../test/servers/proxy.ts';

/**
 * A process of its own that passes on what is sent to servers which are far away: whoever loads them in the same process
 * would hold their answers up. Takes their ports, prints those that lead to them, and reads the delay of a round trip.
 */
const proxies = await Promise.all(process.argv.slice(2).map((port) => startProxy(Number(port))));
console.log(JSON.stringify(proxies.map(({ port }) => port)));
for await (const line of console) for (const proxy of proxies) proxy.delay(Number(line) / 2);
process.exit(0);
