import type { Socket } from 'node:net';
import { Client, types } from 'pg';
import type { SqlValue } from '../sql.ts';
import { endsConnection, translate } from './errors.ts';

const GOODBYE_MS = 1000;

/** Statements with a name are parsed once per connection. Their number is bounded: the server keeps each in memory. */
const MOST_STATEMENTS = 500;

const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known || names.size >= MOST_STATEMENTS) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
};

const BYTEA = 17;
const INTEGERS = new Set([20, 21, 23]);

const parseBytes = types.getTypeParser(BYTEA) as (text: string) => Buffer;

/** Integers are bigint throughout, as on SQLite; bytes are bytes; everything else is the text that came. */
const getTypeParser = (oid: number) => {
  if (INTEGERS.has(oid)) return BigInt;
  if (oid === BYTEA) return (text: string) => new Uint8Array(parseBytes(text));
  return (text: string) => text;
};

export type PostgresConnection = {
  /** The process of the server that serves this connection: another for each. */
  readonly process: bigint;
  /** One statement with values. Several may be sent before the first is answered: they run in the order sent. */
  query(text: string, values: readonly SqlValue[]): Promise<unknown[]>;
  /** Statements without values, in one round trip; the rows of the last. */
  script(text: string): Promise<unknown[]>;
  /** Commits, and rejects if the server has not done so or does not vouch for it. */
  commit(): Promise<void>;
  isBroken(): boolean;
  /** Calls `listener` once, when the connection can be used no longer. */
  onBroken(listener: () => void): void;
  /** Ends it at once: whatever waits for an answer is told. */
  cut(reason: string): void;
  /** Says goodbye. */
  end(): Promise<void>;
};

type Result = { rows: unknown[]; command: string };

/** A client of one server that is told once why it can be used no longer. */
const openClient = async (url: string, withinMs: number) => {
  const client = new Client({
    application_name: 'petstore',
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A statement is sent without waiting for the answer to the one before.
    pipeline: true,
    types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
  });
  const closeSocket = (): void => {
    (client.connection as unknown as { stream: Socket }).stream.destroy();
  };
  const state: { broken: unknown; listener: () => void } = { broken: undefined, listener: () => undefined };
  const breakOff = (error: unknown): void => {
    if (state.broken !== undefined) return;
    state.broken = error;
    closeSocket();
    state.listener();
  };
  client.on('error', breakOff);
  client.on('end', () => breakOff(new Error('the server has ended the connection')));
  try {
    await client.connect();
  } catch (error) {
    breakOff(error);
    throw error;
  }
  return { client, state, breakOff, closeSocket };
};

/** Connects to one server. What the session is to be like is the caller's business. */
export const connectPostgres = async (url: string, withinMs: number): Promise<PostgresConnection> => {
  const { client, state, breakOff, closeSocket } = await openClient(url, withinMs);

  /** The latest warning: a commit that comes with one is not what it should be. */
  let warning: string | undefined;
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') warning = message;
  });

  const send = (query: { text: string; name?: string | undefined; values?: SqlValue[] }): Promise<Result> =>
    new Promise((resolve, reject) => {
      client.query(query, (error: unknown, result: unknown) => {
        if (!error) return resolve((Array.isArray(result) ? result.at(-1) : result) as Result);
        // The reason why we cut it says more than that it is cut.
        const cause = state.broken ?? error;
        if (endsConnection(error)) breakOff(error);
        reject(translate(cause));
      });
    });

  return {
    process: BigInt((client as unknown as { processID: number }).processID),
    async query(text, values) {
      return (await send({ text, name: nameOf(text), values: values as SqlValue[] })).rows;
    },
    async script(text) {
      return (await send({ text })).rows;
    },
    async commit() {
      warning = undefined;
      const { command } = await send({ text: 'COMMIT' });
      // A wait for the standby that was called off, or no transaction at all.
      if (warning !== undefined) {
        const error = new Error(`COMMIT: ${warning}`);
        breakOff(error);
        throw translate(error);
      }
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    },
    isBroken: () => state.broken !== undefined,
    onBroken: (listener) => {
      state.listener = listener;
    },
    cut: (reason) => breakOff(new Error(reason)),
    async end() {
      if (state.broken !== undefined) return;
      state.broken = new Error('closed');
      // A server that does not hear the goodbye must not keep the process from ending.
      const timer = setTimeout(closeSocket, GOODBYE_MS);
      await client.end();
      clearTimeout(timer);
    },
  };
};
