import type { EventType } from '../../client/src/index.ts';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import { connectionOf, type RunCommand } from '../args/invocation.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS } from '../messages.ts';
import { expectThing } from '../output/columns.ts';
import { createPaint } from '../output/paint.ts';
import { toJsonLine } from '../output/show-answer.ts';
import type { Terminal } from '../output/terminal.ts';
import { type EventShown, eventWords, visible } from '../output/text.ts';
import { connect } from './connection.ts';
import { refused } from './explain-refusal.ts';

export type ShownEvent = EventShown & { id: string; timestamp: string };

const readTypes = (text: string | undefined): EventType[] | undefined =>
  text?.split(',').map((given) => {
    const type = given.trim();
    if ((EVENT_TYPES as readonly string[]).includes(type)) return type as EventType;
    throw new BadUsage(ARGUMENTS.unknownEventType(type, suggest(type, EVENT_TYPES)));
  });

const LONGEST_TYPE = Math.max(...EVENT_TYPES.map((type) => type.length));

const timeOf = ({ timestamp }: ShownEvent, { columns }: Terminal): string =>
  columns === undefined ? visible(timestamp) : new Date(timestamp).toTimeString().slice(0, '23:59:59'.length);

export const eventLine = (event: ShownEvent, terminal: Terminal): string => {
  const paint = createPaint(terminal.hasColours);
  const type = paint('accent', visible(event.type)) + ' '.repeat(Math.max(0, LONGEST_TYPE - event.type.length));
  return `${paint('dim', timeOf(event, terminal))}  ${type}  ${eventWords(event)}`;
};

export const forEachEvent =
  (take: (event: ShownEvent) => Promise<void>): RunCommand =>
  async (command, given, invocation) => {
    const types = readTypes(given.values.get('types'));
    const connection = await connectionOf(command, given, invocation);
    const after = given.values.get('after');
    try {
      const client = connect(connection, invocation.terminal);
      for await (const event of client.events.stream({ types, after })) {
        await take(expectThing(event, 'id', 'type', 'timestamp') as ShownEvent);
      }
      return { exitCode: 0 };
    } catch (error) {
      return refused(error, command, connection.url, given.values);
    }
  };

export const followEvents: RunCommand = (command, given, invocation) => {
  const { terminal } = invocation;
  const isJson = given.switches.has('json');
  const show = (event: ShownEvent) => terminal.print(`${isJson ? toJsonLine(event) : eventLine(event, terminal)}\n`);
  return forEachEvent(show)(command, given, invocation);
};
