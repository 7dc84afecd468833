import { startProxy } from '../test/servers/proxy.ts';

/**
 * Starts a proxy for each server port in the arguments. Each line on stdin sets the round-trip delay in ms. Prints the
 * ports of the proxies. Runs in a separate process. In the same process, the load generator would add its own delays.
 */
const proxies = await Promise.all(process.argv.slice(2).map((port) => startProxy(Number(port))));
console.log(JSON.stringify(proxies.map(({ port }) => port)));
for await (const line of console) for (const proxy of proxies) proxy.delay(Number(line) / 2);
process.exit(0);
