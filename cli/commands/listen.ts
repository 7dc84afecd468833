import { makeWebhookSecret, signatureHeaders } from '../../src/delivery/signature.ts';
import { randomBytes } from '../../src/kernel/builtins.ts';
import type { RunCommand } from '../args/invocation.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { readSecret } from '../args/variables.ts';
import { ARGUMENTS, OUTPUT } from '../messages.ts';
import { createPaint } from '../output/paint.ts';
import { toJsonLine } from '../output/show-answer.ts';
import { visible } from '../output/text.ts';
import { eventLine, forEachEvent, type ShownEvent } from './follow-events.ts';

const TIMEOUT_MS = 15_000;

const SECRET_VARIABLE = 'PETSTORE_WEBHOOK_SECRET';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const checkSecret = (given: string | undefined): string | undefined => {
  if (!given || SECRET.test(given)) return given || undefined;
  throw new BadUsage(ARGUMENTS.badSecret);
};

const readReceiver = (text: string): string => {
  if (/^https?:\/\/[^@\s]+$/.test(text) && URL.canParse(text)) return text;
  throw new BadUsage(ARGUMENTS.badReceiver);
};

const deliver = async (event: ShownEvent, url: string, secret: string, now: number) => {
  const body = toJsonLine(event);
  const timestampSeconds = Math.floor(now / 1000);
  const headers = signatureHeaders({ eventId: event.id, timestampSeconds, body }, [secret]);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return { fault: isLate ? OUTPUT.timedOut(TIMEOUT_MS) : OUTPUT.receiverUnreachable };
  }
};

export const listenForWebhooks: RunCommand = async (command, given, invocation) => {
  const { terminal, environment } = invocation;
  const url = readReceiver(given.values.get('forward-to') ?? '');
  const chosen = checkSecret(readSecret(environment, SECRET_VARIABLE));
  const secret = chosen ?? makeWebhookSecret(randomBytes);
  const paint = createPaint(terminal.hasColours);
  const started = OUTPUT.forwarding(visible(url), chosen ? SECRET_VARIABLE : secret);
  if (!terminal.tell(started)) await terminal.print(`${started}\n`);

  const forward = forEachEvent(async (event) => {
    const startedAt = terminal.clock();
    const { status, fault } = await deliver(event, url, secret, startedAt);
    const isTaken = status !== undefined && status >= 200 && status < 300;
    const outcome = fault ?? OUTPUT.delivered(status ?? 0, terminal.clock() - startedAt);
    await terminal.print(`${eventLine(event, terminal)}  → ${paint(isTaken ? 'good' : 'bad', outcome)}\n`);
  });
  return forward(command, given, invocation);
};
