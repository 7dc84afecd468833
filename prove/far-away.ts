import { startProxy } from '../test/servers/proxy.ts';

/**
 * Proxies to servers with a delay. Runs in a separate process, because the load would delay answers in its own process.
 * Takes the servers' ports as arguments, prints its own, and reads the round-trip delay from stdin.
 */
const proxies = await Promise.all(process.argv.slice(2).map((port) => startProxy(Number(port))));
console.log(JSON.stringify(proxies.map(({ port }) => port)));
for await (const line of console) for (const proxy of proxies) proxy.delay(Number(line) / 2);
process.exit(0);
