import type { LoggedEvent, Snapshot } from './snapshot.ts';
import type { Answer, Asked } from './step.ts';
import type { Moment, Outcome, Reported, StoreModel } from './store-model.ts';

type Evidence = {
  asked: readonly Asked[];
  since: number;
  until: number;
  /**
   * True if transactions run concurrently. In that case, the order of sequence numbers may differ from the order of
   * commits.
   */
  isSideBySide: boolean;
} & Pick<Snapshot, 'events' | 'kept'>;

const saysPrevious = (reported: Reported, { type, previous }: LoggedEvent): boolean =>
  type.startsWith('order.')
    ? (reported.previous as any)?.status === previous?.status
    : Bun.deepEquals(reported.previous, previous);

const isReported = (reported: Reported, event: LoggedEvent | undefined): boolean =>
  event !== undefined &&
  reported.type === event.type &&
  reported.petId === event.petId &&
  reported.orderId === event.orderId &&
  Bun.deepEquals(reported.object, event.object) &&
  saysPrevious(reported, event);

const fits = (expected: Answer, heard: Answer): boolean =>
  expected.status === heard.status &&
  expected.code === heard.code &&
  (expected.status >= 400 || Bun.deepEquals(expected.body, heard.body)) &&
  (expected.etag ?? null) === heard.etag &&
  (expected.replayed ?? false) === heard.replayed;

const keyedFirst = (asked: Iterable<Asked>): Asked[] =>
  [...asked].sort((a, b) => Number(!a.step.idempotencyKey) - Number(!b.step.idempotencyKey));

const spell = (value: unknown) => JSON.stringify(value);

/** Groups events by transaction, because the sequence numbers of concurrent transactions may be interleaved. */
const byTransaction = (events: readonly LoggedEvent[]): LoggedEvent[] =>
  [...Map.groupBy(events, ({ requestId, orderId }) => requestId ?? `order ${orderId}`).values()].flat();

const createRange = () => {
  const range = new Map<string, { last: number; least: number; most: number }>();
  return {
    note(counts: Record<string, number>): void {
      for (const [name, count] of Object.entries(counts)) {
        const { last, least, most } = range.get(name) ?? { last: count, least: count, most: count };
        const change = count - last;
        range.set(name, { last: count, least: least + Math.min(0, change), most: most + Math.max(0, change) });
      }
    },
    holds: (counts: Record<string, number>): boolean =>
      Object.entries(counts).every(([name, count]) => {
        const { least, most } = range.get(name) ?? { least: 0, most: 0 };
        return least <= count && count <= most;
      }),
  };
};

/**
 * Looks for an order of the requests in which the model does exactly what the service did. The order must match the
 * order of the events. If a request caused no event, its response must be correct at some point in this order.
 */
export const createExplainer = (model: StoreModel) => {
  const used = { pet: new Set<number>(), order: new Set<number>() };

  const momentOf = ({ type, object, occurredAt }: LoggedEvent): Moment => ({
    now: type.startsWith('order.') ? Date.parse(object.updatedAt) : occurredAt,
    newId: object.id,
  });

  const checkEvent = (event: LoggedEvent, { since, until }: Evidence): void => {
    const { now, newId } = momentOf(event);
    const isInTime = since <= now && now <= event.occurredAt && event.occurredAt <= until;
    if (!isInTime) throw new Error(`event outside ${since} to ${until}: ${spell(event)}`);
    const kind = { 'pet.created': 'pet' as const, 'order.placed': 'order' as const }[event.type];
    if (!kind) return;
    if (used[kind].has(newId)) throw new Error(`reused ID: ${spell(event)}`);
    used[kind].add(newId);
  };

  return (evidence: Evidence): void => {
    const { asked, kept, since, until, isSideBySide } = evidence;
    const counts = createRange();
    const events = byTransaction(evidence.events.filter(({ type }) => !type.startsWith('key.')));
    const withEvents = new Set(events.map(({ requestId }) => requestId));
    const loud = new Map(asked.flatMap((one) => (one.heard ? [[one.heard.requestId, one]] : [])));
    const quiet = new Set(asked.filter(({ heard }) => heard && !withEvents.has(heard.requestId)));
    const cutOff = new Set(asked.filter(({ heard }) => !heard));
    /**
     * If several requests without a response are identical, the stored response shows which of them the service carried
     * out.
     */
    const isKept = ({ step: { idempotencyKey } }: Asked, { answer }: Outcome) =>
      idempotencyKey === undefined || Bun.deepEquals(kept.get(idempotencyKey)?.body, answer.body);

    const isInProgress = ({ step, heard }: Asked) =>
      heard?.code === 'idempotency_in_progress' &&
      asked.some((other) => other.step !== step && other.step.idempotencyKey === step.idempotencyKey);

    const settleQuiet = () => {
      counts.note(model.inventory());
      for (const one of quiet) {
        const isFit = [since, until].some((now) => {
          const { answer, events } = model.decide(one.step, { now, newId: 0 });
          return events.length === 0 && fits(answer, one.heard as Answer);
        });
        if (isFit || isInProgress(one)) quiet.delete(one);
      }
    };

    const isWhole = (outcome: Outcome | undefined, index: number): outcome is Outcome =>
      outcome !== undefined &&
      outcome.events.length > 0 &&
      outcome.events.every((reported, offset) => {
        const event = events[index + offset];
        return isReported(reported, event) && event?.requestId === events[index]?.requestId;
      });

    const outcomeAt = (event: LoggedEvent, index: number): Outcome => {
      const moment = momentOf(event);
      if (event.requestId === null) {
        const expired = model.expire(event.orderId ?? 0, moment.now);
        if (isWhole(expired, index)) return expired;
        throw new Error(`event without a request or an expiry: ${spell(event)}`);
      }
      const answered = loud.get(event.requestId);
      if (answered?.heard) {
        loud.delete(event.requestId);
        const outcome = model.decide(answered.step, moment);
        if (isWhole(outcome, index) && fits(outcome.answer, answered.heard)) return outcome;
        throw new Error(
          `${spell(answered)} caused ${spell(events.slice(index, index + 3))} instead of ${spell(outcome)}`,
        );
      }
      for (const one of keyedFirst(cutOff)) {
        const outcome = model.decide(one.step, moment);
        if (!isWhole(outcome, index) || !isKept(one, outcome)) continue;
        cutOff.delete(one);
        return outcome;
      }
      throw new Error(`no request explains ${spell(events.slice(index, index + 3))}`);
    };

    settleQuiet();
    for (let index = 0; index < events.length; ) {
      const event = events[index] as LoggedEvent;
      const outcome = outcomeAt(event, index);
      for (const written of events.slice(index, index + outcome.events.length)) checkEvent(written, evidence);
      outcome.happen();
      index += outcome.events.length;
      settleQuiet();
    }
    // If transactions run concurrently, a correct inventory might not match the state at any single moment. It is
    // enough if each count is within the range of possible counts.
    const isCount = ({ step, heard }: Asked) =>
      isSideBySide && step.kind === 'readInventory' && heard?.status === 200 && counts.holds(heard.body as any);
    const unexplained = [...quiet].find((one) => !isCount(one));
    if (unexplained) throw new Error(`no state explains this response: ${spell(unexplained)}`);
  };
};
