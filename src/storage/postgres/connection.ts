import type { Socket } from 'node:net';
import { Client, DatabaseError, types } from 'pg';
import { Failure } from '../../kernel/failure.ts';
import type { SqlValue } from '../sql.ts';
import type { Statement } from './one-statement.ts';

const ENDS_CONNECTION = /^(57P|08|25006|25P03|XX)/;
const PASSING = /^(53|57014|55P03|58|40001|40P01)/;
const CONFLICT = /^(40001|40P01|55P03)$/;

const endsConnection = (error: unknown): boolean => {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || ENDS_CONNECTION.test(error.code ?? '');
};

export const isConflict = (error: unknown): boolean => {
  const cause = error instanceof Failure ? error.cause : error;
  if (!(cause instanceof DatabaseError)) return false;
  // Another instance has just stored an answer for the same idempotency key.
  const isAnswered = cause.code === '23505' && cause.constraint?.startsWith('idempotency_pkey') === true;
  return isAnswered || CONFLICT.test(cause.code ?? '');
};

export const unavailable = (cause: unknown): Failure =>
  new Failure('unavailable', 'The service cannot reach its storage right now; try again later.', {
    retryAfterSeconds: 1,
    cause,
  });

export const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === 'unavailable';

/** Broken connections and temporary server errors become `unavailable`. Any other error is a bug in this service. */
const translate = (error: unknown): unknown => {
  if (error instanceof Failure) return error;
  return endsConnection(error) || PASSING.test((error as DatabaseError).code ?? '') ? unavailable(error) : error;
};

const GOODBYE_MS = 1000;

/** Limits the number of named statements, because the server keeps each of them in memory for every connection. */
const MAX_STATEMENTS = 500;

const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known || names.size >= MAX_STATEMENTS) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
};

const BYTEA = 17;
const INTEGERS = new Set([20, 21, 23]);

const parseBytes = types.getTypeParser(BYTEA) as (text: string) => Buffer;

const getTypeParser = (oid: number) => {
  if (INTEGERS.has(oid)) return BigInt;
  if (oid === BYTEA) return (text: string) => new Uint8Array(parseBytes(text));
  return (text: string) => text;
};

type Result = { rows: unknown[]; command: string };

const openClient = async (url: string, withinMs: number) => {
  const client = new Client({
    application_name: 'petstore',
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
  });
  const closeSocket = (): unknown => (client.connection as unknown as { stream: Socket }).stream.destroy();
  const state: { broken: unknown; listener: () => void } = { broken: undefined, listener: () => undefined };
  const abort = (error: unknown): void => {
    if (state.broken !== undefined) return;
    state.broken = error;
    closeSocket();
    state.listener();
  };
  client.on('error', abort);
  client.on('end', () => abort(new Error('the server closed the connection')));
  try {
    await client.connect();
  } catch (error) {
    abort(error);
    throw error;
  }
  return { client, state, abort, closeSocket };
};

export type Prepare = 'auto' | 'always' | 'never';

export type PostgresConnection = Awaited<ReturnType<typeof connect>>;
export type Connect = () => Promise<PostgresConnection>;

const connect = async (url: string, withinMs: number) => {
  const { client, state, abort, closeSocket } = await openClient(url, withinMs);
  const processId = BigInt.asUintN(32, BigInt((client as unknown as { processID: number }).processID));

  let isNamed = false;
  let warning: string | undefined;
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') warning = message;
  });

  const send = (query: { text: string; name?: string | undefined; values?: SqlValue[] }): Promise<Result> =>
    new Promise((resolve, reject) => {
      client.query(query, (error: unknown, result: unknown) => {
        if (!error) return resolve((Array.isArray(result) ? result.at(-1) : result) as Result);
        const cause = state.broken ?? error;
        if (endsConnection(error)) abort(error);
        reject(translate(cause));
      });
    });

  const sendStatement = ({ text, values }: Statement): Promise<Result> =>
    send({ text, name: isNamed ? nameOf(text) : undefined, values: values as SqlValue[] });

  return {
    process: processId,
    /** Callers may send more statements before the result arrives. The server runs them in order. */
    query: async (text: string, values: readonly SqlValue[]): Promise<unknown[]> =>
      (await sendStatement({ text, values })).rows,
    script: async (text: string): Promise<unknown[]> => (await send({ text })).rows,
    /**
     * Behind a pooler, statements are not named by default, because a transaction may run in a session that does not
     * know the name. A pooler reports its own process id instead of the server's, so two different ids reveal a pooler.
     */
    nameStatements: (prepare: Prepare, serverProcess: bigint): void => {
      isNamed = prepare === 'auto' ? serverProcess === processId : prepare === 'always';
    },
    async commit(alone?: Statement): Promise<void> {
      warning = undefined;
      const { command } = await (alone ? sendStatement(alone) : send({ text: 'COMMIT' }));
      // A warning makes the commit uncertain: the server did not wait for its standby, or no transaction was open.
      if (warning !== undefined) {
        const error = new Error(`COMMIT: ${warning}`);
        abort(error);
        throw translate(error);
      }
      if (!alone && command !== 'COMMIT') throw new Error('the transaction was rolled back');
    },
    isBroken: () => state.broken !== undefined,
    onBroken: (listener: () => void): void => {
      state.listener = listener;
    },
    cut: (reason: string): void => abort(new Error(reason)),
    async end(): Promise<void> {
      if (state.broken !== undefined) return;
      state.broken = new Error('closed');
      // A server that does not respond must not keep a stopping process alive.
      const timer = setTimeout(closeSocket, GOODBYE_MS);
      await client.end();
      clearTimeout(timer);
    },
  };
};

export const connectPostgres = async <Result>(
  url: string,
  withinMs: number,
  setUp: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> => {
  const connection = await connect(url, withinMs);
  const timer = setTimeout(() => connection.cut('setting up the session timed out'), withinMs);
  try {
    return await setUp(connection);
  } catch (error) {
    connection.cut('unfit');
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
