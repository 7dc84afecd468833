import type { ReactNode } from 'react';
import type { Webhook } from '../../client/src/index.ts';
import { phrase, plural, showCount } from '../kit/text.ts';

const REASONS: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'the endpoint returned 410',
  failing: 'no delivery succeeded for five days',
  key_ended: 'its key was revoked or has expired',
  switched_off: 'it was turned off by hand',
};

/** Messages for the error codes that the service stores. Rare error codes have no message here. */
const FAILURES: Partial<Record<string, string>> = {
  ECONNREFUSED: 'The endpoint refused the connection',
  ECONNRESET: 'The endpoint closed the connection',
  ENETUNREACH: 'The endpoint cannot be reached',
  EHOSTUNREACH: 'The endpoint cannot be reached',
  CERT_HAS_EXPIRED: "The endpoint's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The endpoint's certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "The endpoint's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The endpoint's certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "The endpoint's certificate is for another host",
};

/** Messages that replace the service's own message if it refuses an endpoint's address. */
const ADDRESS_FAULTS: Partial<Record<string, string>> = {
  'Must be a URL': 'Enter a full address, such as https://hooks.example.org/petstore.',
  'Must be an https URL':
    'Enter a public address that starts with https://, such as https://hooks.example.org/petstore.',
  'Must not point to a private address':
    'The service sends no events to private addresses. Enter a public one, such as https://hooks.example.org/petstore.',
  'Must have a full host name, such as hooks.example.org':
    'Enter a public address with a full host name, such as https://hooks.example.org/petstore.',
};

export const texts = {
  webhook: 'Webhook',
  add: 'Add webhook',
  added: 'Webhook added',
  empty: {
    title: 'No webhooks yet',
    text: 'A webhook sends events to your endpoint as they happen. Each delivery is signed, and retried if it fails.',
  },
  endpointHint: 'A public https URL, such as https://shop.example/hooks.',
  addressFaults: ADDRESS_FAULTS,
  otherAddresses: (setting: ReactNode) =>
    phrase`If your program runs on your own computer, use "Receive events on your laptop" below. On a private network, the operator can allow private addresses and http by setting ${setting}.`,
  allowedAddresses: 'Allowed addresses',
  newEndpointHint: 'Failures at the old URL do not count against the new one.',
  eventsToSend: 'Events to send',
  sales: (changed: ReactNode, delivered: ReactNode) =>
    phrase`For sales, choose ${changed}: when a pet is sold, the event contains the status "sold". If the pet was sold through an order, ${delivered} is sent too.`,
  noEvents: 'Choose at least one event.',
  hiddenEvents: (types: readonly string[]) =>
    `The webhook also receives ${types.join(', ')}, which your key cannot read. To change the events, use a key that can read them all.`,
  key: 'Key',
  keepKey: 'Keep the current key',
  keyHint: "The webhook receives only events that this key can read. Type a key's name or ID.",
  keyChoice: (name: string, id: string) => `${name} · ${id}`,
  saved: 'Webhook saved.',
  states: { enabled: 'enabled', failing: 'failing', disabled: 'disabled' },
  reasons: REASONS,
  failures: FAILURES,
  otherFailure: 'The connection to the endpoint failed',
  offTitle: (reason: string) => `Disabled: ${reason}`,
  offText: 'This webhook is not receiving events. To receive them again, enable the webhook.',
  offFaultText: 'This webhook is not receiving events. Fix the cause, then enable the webhook.',
  addedLabel: 'Added',
  id: 'ID',
  receives: 'Receives',
  change: 'Change',
  note: 'Events sent to your own programs',
  count: (count: number, isMore: boolean) => `${plural(count, 'webhook')}${isMore ? ' so far' : ''}`,
  edit: 'Edit webhook',
  sendTest: 'Send test event',
  enable: 'Enable',
  disable: 'Disable',
  enabledNow: 'Webhook enabled. It will receive new events.',
  disabledNow: 'Webhook disabled. No more events will be sent.',
  off: {
    question: 'Disable this webhook?',
    confirm: 'Disable webhook',
    consequence: (url: string) =>
      `${url} will receive no events until you enable the webhook again. Pending deliveries are dropped, and events that happen in the meantime are not sent later.`,
  },
  remove: {
    question: 'Delete this webhook?',
    confirm: 'Delete webhook',
    consequence: (url: string) =>
      `${url} will not receive any more events. Pending deliveries are dropped, and the delivery log is deleted. To keep the log, disable the webhook instead.`,
    done: (url: string) => `Webhook to ${url} deleted.`,
  },
  secret: {
    rotate: 'Rotate secret',
    rotateTitle: 'Rotate the signing secret',
    rotateText:
      'The webhook gets a new signing secret. For 24 hours, deliveries are signed with both secrets, so your receiver can switch without rejecting any deliveries.',
    confirm: 'Rotate',
    title: (url: string) => `Signing secret for ${url}. It is shown only once.`,
    copyNow: 'Copy it to your receiver now.',
    lost: 'The response that contained the secret was lost. Rotate the secret to get a new one.',
    verify: 'Use the secret in your receiver to verify each event:',
    oldStillSigns: 'For 24 hours, deliveries are also signed with the old secret.',
  },
  laptop: {
    title: 'Receive events on your laptop',
    text: 'The service usually cannot reach your laptop. The command below fetches the events and forwards them to your program, signed like webhook deliveries.',
    connect: 'Set the address of the service and a key:',
    listen: 'Forward the events to your program:',
    verify: 'Verify each event with the signing secret that the command prints.',
    needsScope: ' The command needs a key with the events:read scope.',
  },
  health: {
    title: 'Latest deliveries',
    none: 'no deliveries yet',
    delivered: (count: number, total: number) => `${count}/${total}`,
    unavailable: (reason: string) => `unavailable: ${reason}`,
    last: (count: number, outcomes: readonly string[]) => `last ${showCount(count)}: ${outcomes.join(', ')}`,
    outcomes: { arrived: 'delivered', waiting: 'not sent yet', again: 'retrying', lost: 'failed' },
  },
  deliveries: {
    title: 'Deliveries',
    none: 'No deliveries yet. Send a test event to check the endpoint.',
    redeliver: 'Redeliver',
    redeliverEvent: (id: string) => `Redeliver ${id}`,
    attempts: (count: number) => plural(count, 'attempt'),
    notSent: 'not sent yet',
    noResponse: 'no response',
    status: (status: number) => `status ${status}`,
    duration: (ms: number) => ` in ${showCount(ms)} ms`,
    code: (code: string) => ` (${code})`,
    failedAfter: (ms: number) => ` (failed after ${showCount(ms)} ms)`,
    attempt: (attempt: number, time: ReactNode) => phrase`, attempt ${attempt}, ${time}`,
    nextIn: (time: ReactNode) => phrase`, next attempt in ${time}`,
    waiting: ', waiting for the next attempt',
    pausing:
      'If an endpoint fails several times in a row, the service sends it one delivery at a time, with pauses of up to a minute, until one succeeds.',
  },
  attempts: {
    headings: { attempt: 'Attempt', time: 'Time', code: 'Status', duration: 'Duration', next: 'Next attempt' },
    duration: (ms: number) => `${showCount(ms)} ms`,
    nextIn: (time: ReactNode) => phrase`in ${time}`,
    waiting: 'waiting',
    onlyLatest: 'The service keeps only the latest attempt.',
  },
  exchange: {
    failed: (words: string, code: string | undefined) => (code ? `${words} (${code})` : words),
    answered: (status: number, body: string) => `Your endpoint answered ${status}${body && `: ${body}`}`,
    response: 'Response',
    notSent: 'Not sent yet.',
    noResponse: 'No response.',
    emptyBody: '(empty body)',
    bodyNote:
      'The body is formatted here for readability. The service sends it without extra whitespace. The signature is not shown, because it is different for each attempt and the service does not store it.',
    viewEvent: 'View event',
    noEvent: 'The event is no longer stored, or your key cannot read it.',
    needsScope: 'The body is the event. To see it, use a key with the events:read scope.',
  },
};
