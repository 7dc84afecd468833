import { DatabaseError } from 'pg';
import { Failure } from '../../kernel/failure.ts';

/** The server is going away, cannot be written to, or has ended the connection. */
const ENDS_CONNECTION = /^(57P|08|25006|25P03|XX)/;
/** Out of connections, memory or disk; a time-out; a lock that nobody gave up; a failing disk. */
const PASSING = /^(53|57014|55P03|58|40001|40P01)/;
/** Two transactions stood in each other's way, or one waits for a row of the other: it runs again. */
const CONFLICT = /^(40001|40P01|55P03)$/;

const sqlState = (error: unknown): string | undefined => (error instanceof DatabaseError ? error.code : undefined);

/** Whatever does not come from the server in due form comes from a connection that does not work. */
export const endsConnection = (error: unknown): boolean => {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || ENDS_CONNECTION.test(error.code ?? '');
};

export const isConflict = (error: unknown): boolean =>
  CONFLICT.test(sqlState(error instanceof Failure ? error.cause : error) ?? '');

export const unavailable = (cause: unknown): Failure =>
  new Failure('unavailable', 'The service cannot reach its storage right now; try again later.', {
    retryAfterSeconds: 1,
    cause,
  });

export const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === 'unavailable';

/** What stands in the way of every request becomes a refusal; the rest is a fault of ours and stays as it is. */
export const translate = (error: unknown): unknown => {
  if (error instanceof Failure) return error;
  return endsConnection(error) || PASSING.test(sqlState(error) ?? '') ? unavailable(error) : error;
};
