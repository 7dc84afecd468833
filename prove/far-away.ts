import { startProxy } from '../test/servers/proxy.ts';

/**
 * Runs the proxies in a separate process, because they would be too slow in the same process as the load generator.
 * Each line on standard input sets the round-trip delay in milliseconds.
 */
const proxies = await Promise.all(process.argv.slice(2).map((port) => startProxy(Number(port))));
console.log(JSON.stringify(proxies.map(({ port }) => port)));
for await (const line of console) for (const proxy of proxies) proxy.delay(Number(line) / 2);
process.exit(0);
