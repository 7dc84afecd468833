import { startProxy } from '../test/servers/proxy.ts';

/**
 * Runs the proxies in a separate process, because the load generator would slow them down. Each line on standard input sets
 * the round-trip delay in milliseconds.
 */
const proxies = await Promise.all(process.argv.slice(2).map((port) => startProxy(Number(port))));
console.log(JSON.stringify(proxies.map(({ port }) => port)));
for await (const line of console) for (const proxy of proxies) proxy.delay(Number(line) / 2);
process.exit(0);
