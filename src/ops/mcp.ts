import type { CommandResult } from '../../cli/args/invocation.ts';
import { BadUsage } from '../../cli/args/read-arguments.ts';
import { readClientConfig } from '../config.ts';
import { serveMcpOnStdio } from '../mcp/stdio.ts';
import type { LocalCommand } from './terminal.ts';

const TOO_LONG: CommandResult = {
  exitCode: 1,
  err: 'petstore: a message exceeded the maximum of 10 MiB. Start petstore mcp again, and send less in one call.',
};

const VISIBLE = /^[\x21-\x7e]+$/;

export const runMcp: LocalCommand = async (args, environment) => {
  const listsDeprecated = args[0] === '--deprecated';
  if (args.length > (listsDeprecated ? 1 : 0))
    throw new BadUsage(
      'petstore mcp takes only --deprecated; to choose the service and the key, set PETSTORE_URL and PETSTORE_API_KEY',
    );
  const { url, key } = readClientConfig(environment);
  if (key === undefined || !VISIBLE.test(key)) {
    throw new BadUsage('PETSTORE_API_KEY is missing or has invalid characters; set it to the API key for the agent');
  }
  const { promise: ended, resolve: end } = Promise.withResolvers<CommandResult>();
  process.stdin.once('end', () => end({ exitCode: 0 }));
  const server = await serveMcpOnStdio({ url, key, listsDeprecated }, () => end(TOO_LONG));
  const result = await ended;
  await server.close();
  return result;
};
