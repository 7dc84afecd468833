import type { Connection } from './connection.redis.ts';
import { createDeadlines } from './deadlines.redis.ts';
import type { Entries, Entry, Waiting } from './entries.redis.ts';
import type { Judge } from './judge.redis.ts';
import { absorb, debtsOf, forgive, hasUnsavedBan, nowOf } from './known.redis.ts';
import { type Answer, decodeAnswer, encodeOrder, keyOf, type Order } from './script.redis.ts';
import type { RedisTime } from './time.redis.ts';
import { isForgettable } from './window.ts';

type Deps = {
  connection: Connection;
  entries: Entries;
  judge: Judge;
  time: RedisTime;
  patienceMs: number;
  onAnswer(): void;
  onFailure(entry: Entry, error: unknown): void;
};

/**
 * Asks Redis for all who wait for a subject together, one call after another. Says whether it answered; if not in time,
 * whoever waits is judged here.
 */
export const createAsking = ({ connection, entries, judge, time, patienceMs, onAnswer, onFailure }: Deps) => {
  const deadlines = createDeadlines(patienceMs);

  /** Redis may answer after all what was judged here meanwhile. */
  const reconcile = (entry: Entry, order: Order, answer: Answer): void => {
    if (answer.state !== 'judged') return;
    forgive(entry.known, answer);
    absorb(entry.known, order.subject, answer, order);
    entries.noteDebts(entry);
  };

  /** Makes one call. If it fails or takes too long, `giveUp` is called at once and nothing is returned in the end. */
  const call = async (entry: Entry, order: Order, giveUp: () => void): Promise<Answer | undefined> => {
    const sentAt = performance.now();
    let isLate = false;
    const fail = (error: unknown) => {
      onFailure(entry, error);
      giveUp();
    };
    const isOver = deadlines.watch(() => {
      isLate = true;
      entry.isOverdue = true;
      fail(new Error(`no answer within ${patienceMs} ms`));
    });
    try {
      const reply = await connection.run(keyOf(order.subject.id), encodeOrder(order));
      const answer = decodeAnswer(order.subject, reply);
      if (isLate) {
        reconcile(entry, order, answer);
        return undefined;
      }
      // One that is full still says whom it does not know, and then cannot count.
      if (answer.state !== 'unknown') onAnswer();
      time.note(answer.now, sentAt);
      entry.known.aheadMs = time.aheadMs();
      entry.isHeard = true;
      return answer;
    } catch (error) {
      if (!isLate) fail(error);
      return undefined;
    } finally {
      isOver();
      entry.isOverdue = false;
    }
  };

  /** Redis knows nothing of the subject: it is told what is known here and in the database. */
  const callAnew = async (entry: Entry, order: Order, batch: readonly Waiting[], giveUp: () => void) => {
    if (entry.subject.ban && !(await judge.findBanFor(entry, batch))) return undefined;
    const { windows, ban } = entry.known.tally;
    const told = { ...order.told, windows, ...(ban && !hasUnsavedBan(entry.known) && { ban }) };
    return call(entry, { ...order, told, judgesUnknown: true, notAfter: 0 }, giveUp);
  };

  const orderOf = ({ subject, known, isHeard }: Entry, requests: number): Order => {
    const now = nowOf(known);
    return {
      subject,
      requests,
      reported: known.unreported,
      told: debtsOf(known),
      judgesUnknown: !subject.ban && isForgettable(known.tally, now),
      // Later than that the requests have been judged here, and must not be counted twice.
      notAfter: isHeard ? now + 2 * patienceMs : 0,
    };
  };

  return async function ask(entry: Entry): Promise<boolean> {
    entry.isAsking = true;
    const batch = entry.waiting.splice(0);
    const requests = batch.reduce((sum, { counts }) => sum + (counts ? 1 : 0), 0);
    const giveUp = () => void judge.judgeHere(entry, [...batch, ...entry.waiting.splice(0)]);
    const order = orderOf(entry, requests);
    let answer = await call(entry, order, giveUp);
    if (answer?.state === 'late') answer = await call(entry, { ...order, notAfter: 0 }, giveUp);
    if (answer?.state === 'unknown') answer = await callAnew(entry, order, batch, giveUp);
    const isJudged = answer?.state === 'judged';
    if (answer?.state === 'judged') {
      absorb(entry.known, order.subject, answer, order);
      entry.isStale = false;
      entry.isBanKnown = true;
      entries.noteDebts(entry);
      judge.answer(entry, batch, requests, answer);
    }
    entry.isAsking = false;
    if (entry.waiting.length > 0) void ask(entry);
    return isJudged;
  };
};
