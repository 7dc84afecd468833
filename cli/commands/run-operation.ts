import type { Contract } from '../../src/kernel/contract.ts';
import { type CommandResult, connectionOf, type Invocation, REFUSED, readInvocation } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { toJsonValue } from '../args/value.ts';
import { ARGUMENTS, OUTPUT } from '../messages.ts';
import { showAnswer } from '../output/show-answer.ts';
import { showPages } from '../output/show-pages.ts';
import { confirm } from '../output/terminal.ts';
import { visible } from '../output/text.ts';
import { describeOperation, isDestructive, type OperationCommand } from './command.ts';
import { connect } from './connection.ts';
import { refused } from './explain-refusal.ts';

type Body = Record<string, unknown>;

const place = (body: Body, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) body[name] = value;
  else {
    body[name] ??= {};
    place(body[name] as Body, rest, value);
  }
};

/** URL parsers resolve `.` and `..`, even if they are percent-encoded, so the request would go to a different path. */
const pathPart = (text: string): string => {
  if (text === '' || text === '.' || text === '..') throw new BadUsage(ARGUMENTS.notAnId(text));
  return encodeURIComponent(text);
};

const readRequest = ({ contract, flags }: OperationCommand, { values, positions }: Arguments, now: number) => {
  const ids = [...positions];
  const path = contract.path.replaceAll(/\{\w+\}/g, () => pathPart(ids.shift() ?? ''));
  const query: Record<string, string> = {};
  const body: Body | undefined = contract.input.body && {};
  for (const flag of flags) {
    const text = values.get(flag.flag);
    if (text === undefined) continue;
    if (flag.place === 'query') query[flag.path[0] as string] = text;
    else place(body as Body, flag.path, toJsonValue(flag, text, now));
  }
  return { method: contract.method, path, query, body };
};

export const runOperation = async (contract: Contract, invocation: Invocation): Promise<CommandResult> => {
  const command = describeOperation(contract);
  const { terminal } = invocation;
  const given = readInvocation(command, invocation);
  const request = readRequest(command, given, terminal.clock());
  const connection = await connectionOf(command, given, invocation);
  if (isDestructive(contract) && !given.switches.has('yes')) {
    const subject = given.positions.map((id) => `: ${visible(id)}`).join('');
    const isSure = await confirm(terminal, OUTPUT.confirm(contract.summary, subject));
    if (isSure === false) return { exitCode: REFUSED, err: `petstore: ${OUTPUT.notConfirmed}` };
  }
  const client = connect(connection, given.switches.has('all') ? terminal : undefined);
  try {
    return contract.paged
      ? await showPages(client, request, contract, given, terminal)
      : showAnswer(await client.request(request).withResponse(), contract, given, terminal);
  } catch (error) {
    return refused(error, { ...command, method: contract.method }, connection.url, given.values);
  }
};
