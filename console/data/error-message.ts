import { PetstoreError } from '../../client/src/index.ts';
import { texts } from '../texts.ts';

const UNANSWERED: readonly string[] = ['connection_lost', 'timed_out', 'unexpected_answer'];

/** The messages of Chrome, Firefox and Safari if `fetch` gets no response. */
const NO_RESPONSE = /^(Failed to fetch|NetworkError|Load failed)/;

const isUnanswered = (error: Error): boolean =>
  error instanceof PetstoreError ? UNANSWERED.includes(error.code) : NO_RESPONSE.test(error.message);

/**
 * Returns the service's own message. If the service did not answer, the client's message is for programmers, so this
 * returns plain words instead. For a write, they add that the change may have been made.
 */
export const messageOf = (error: Error, isRead = false): string => {
  if (!isUnanswered(error)) return error.message;
  return isRead ? texts.notice.unanswered : texts.notice.unansweredChange;
};
