import { PetstoreError } from '../../client/src/index.ts';
import { texts } from '../texts.ts';

const UNANSWERED: readonly string[] = ['connection_lost', 'timed_out', 'unexpected_answer'];

/** The error messages with which Chrome, Firefox and Safari report that `fetch` got no response. */
const NO_RESPONSE = /^(Failed to fetch|NetworkError|Load failed)/;

export const isUnanswered = (error: Error): boolean =>
  error instanceof PetstoreError ? UNANSWERED.includes(error.code) : NO_RESPONSE.test(error.message);

const CALL = / \((?:GET|POST|PUT|PATCH|DELETE) [^)]*\)/g;

/** A sentence, or a part after a semicolon, that names an API call, such as " GET /pets lists all pets." */
const ADVICE = /[.;] [^.;]*\b(?:GET|POST|PUT|PATCH|DELETE) \/.*?(?:\.(?= )|\.?$)/g;

/** Removes what is meant for programmers: API calls, and the backticks around values. */
const plainMessage = (error: Error): string => {
  if (!(error instanceof PetstoreError)) return error.message;
  return texts.errors[error.code] ?? error.message.replaceAll(CALL, '').replaceAll(ADVICE, '.').replaceAll('`', '');
};

/** Says in plain words what is wrong with a field. */
export const plainDetail = (detail: string): string => detail.replace(/an integer from -2\^63.*/, texts.wholeNumber);

/**
 * Returns the service's message in plain words. If the service did not answer, returns the console's own text instead,
 * because the client library's message is written for programmers. For a write, the console's text says that the change
 * may have been made.
 */
export const messageOf = (error: Error, isRead = false): string => {
  if (!isUnanswered(error)) return plainMessage(error);
  return isRead ? texts.notice.unanswered : texts.notice.unansweredChange;
};
