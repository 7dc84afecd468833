import type { ReactNode } from 'react';
import type { AuditEntry } from '../../client/src/index.ts';
import { capitalized, phrase, plural, showCount } from '../kit/text.ts';

export const texts = {
  key: 'Key',
  create: 'Create key',
  createFor: (storeId: string) => `Create key for store ${storeId}`,
  created: 'Key created',
  edit: 'Change',
  note: 'One key per person, device or partner',
  count: (count: number, isMore: boolean) => `${plural(count, 'key')}${isMore ? ' so far' : ''}`,
  phoneNote: (plan: string, used: ReactNode) => phrase`${capitalized(plan)} · ${used}`,
  can: 'This key can',
  summary: (plan: string, created: ReactNode, expires: ReactNode) =>
    expires === undefined
      ? phrase`${capitalized(plan)} plan · created ${created} · never expires`
      : phrase`${capitalized(plan)} plan · created ${created} · expires ${expires}`,
  presets: {
    colleague: {
      title: 'A colleague',
      words: 'uses this console to manage pets, orders and categories',
    },
    program: { title: 'A website or program', words: 'reads and changes pets and orders through the API' },
    reader: { title: 'Read only', words: 'sees pets and orders, but cannot change anything' },
  },
  noAccess: {
    title: (page: string) => `Your key cannot open ${page}`,
    hint: (permission: string) =>
      `Your key does not have the permission "${permission}". Ask the person who gave you the key to add this permission under Keys.`,
  },
  deprecatedCalls: 'Calls to deprecated operations',
  auditTrail: 'Audit trail',
  otherStore: (storeId: number | bigint) =>
    `The changes made with this key are in store ${storeId}. To see them, open that store with one of its keys.`,
  neverUsed: 'never used',
  lastUsed: (time: ReactNode) => phrase`last used ${time}`,
  adminNote: (variable: ReactNode) =>
    phrase`This appears to be the admin key, because it has the admin key's name and limits. The admin key cannot be changed, rotated or revoked here. To replace it, set ${variable} and restart the service.`,
  saved: 'Key saved. The change takes effect within a second. A console that is open shows it within a minute.',
  states: { active: 'active', near: 'near limit', banned: 'banned', expired: 'expired', revoked: 'revoked' },
  fields: {
    nameHint: 'What the key is for, such as Front desk.',
    plan: 'Plan',
    limits: (limits: string) => `Limits: ${limits}.`,
    sandboxLimit: (pets: number | undefined) =>
      pets === undefined
        ? 'On staging, a store may allow fewer pets than the plan.'
        : `However, this service has room for only ${showCount(pets)} pets in each store.`,
    perMinute: 'Requests per minute',
    perDay: 'Requests per day',
    pets: 'Pets',
    petsHint: 'Leave empty for no limit.',
    scopes: 'Who or what uses this key?',
    permissions: (count: number) => plural(count, 'permission'),
    placingNeeds: (permission: string) => `To place orders in the console, this key also needs "${permission}".`,
    addPermission: (permission: string) => `Add "${permission}"`,
    expires: 'Expires',
    expiresHint: 'Leave empty to never expire.',
    store: 'Store',
    storeHint: 'A new number creates a new store.',
    stagingStoreHint: 'Leave empty for a new sample store.',
  },
  newStore: {
    question: (storeId: bigint) => `Create store ${storeId}?`,
    text: (storeId: bigint) =>
      `The console found no key for store ${storeId}, so the store does not seem to exist yet. If you mistyped the number, correct it.`,
    confirm: 'Create store and key',
    keep: 'Correct the number',
  },
  secret: {
    title: (name: string) => `This is the key for ${name}. It is shown only once.`,
    copyNow: 'Copy it now: the service does not keep a readable copy.',
    lost: 'The response that contained the key was lost. To get a new key, choose "Rotate secret".',
    firstCall: 'To use the API, start with this command:',
    signIn: (name: string) => `${name} opens this address and signs in with the key:`,
    signInToo: 'To use the console, open this address and sign in with the key:',
    openStore: (storeId: number | bigint) => `Open store ${storeId} with this key`,
  },
  rotate: {
    open: 'Rotate secret',
    title: (name: string) => `Rotate the secret of ${name}`,
    text: 'The key gets a new secret. Its name, plan and permissions stay the same.',
    rotate: 'Rotate',
    done: 'New secret',
    oldSecret: 'Old secret',
    question: (name: string) => `Replace the secret of ${name} now?`,
    consequence: 'Programs that use the old secret stop working immediately. You cannot undo this.',
    confirm: 'Replace secret',
    graces: [
      [3600, 'works for 1 more hour'],
      [86_400, 'works for 1 more day'],
      [0, 'stops working now'],
    ] as [seconds: number, effect: string][],
  },
  revoke: {
    revoke: 'Revoke',
    question: (name: string) => `Revoke ${name}?`,
    consequence: 'Programs that use this key will stop working. You cannot restore a revoked key.',
    confirm: 'Revoke key',
    done: (name: string) => `${name} revoked. Requests with this key are now refused.`,
  },
  ban: {
    title: (time: ReactNode) => phrase`Banned for another ${time}`,
    reason: 'A program kept using this key after the service had asked it to wait (status 429).',
    lift: 'Lift ban',
    lifted: (name: string) => `Ban on ${name} lifted.`,
  },
  usage: {
    used: 'Requests used',
    windows: { minute: 'minute', day: 'day' },
    perMinute: 'Per minute',
    perDay: 'Per day',
    pets: 'Pets',
    inStore: 'in this store',
    note: "When a key requests its own usage figures, the request does not count against the key's limits, but it does appear in the charts. The per-minute and per-day limits do not reset at fixed times. After a period ends, your next request starts a new one.",
    of: (limit: number) => ` of ${showCount(limit)}`,
    noLimit: ' · no limit',
    resetsIn: (time: ReactNode) => phrase`Resets in ${time}`,
    window: (used: number, limit: number | undefined, window: string) =>
      limit === undefined
        ? `${plural(used, 'request')} this ${window} · no limit`
        : `${showCount(used)} of ${showCount(limit)} requests per ${window}`,
    limits: (perMinute: number, perDay: number) => `${showCount(perMinute)}/min · ${showCount(perDay)}/day`,
    requests: 'Requests',
    period: 'Period',
    periods: { 0: '24 hours', 7: '7 days', 30: '30 days' },
    byDay: 'By day',
    byHour: 'By hour',
    day: 'Day',
    today: 'Today',
    classes: { good: 'Successful', refused: 'Refused', limited: 'Over the limit', failed: 'Failed' },
  },
  requests: {
    title: 'Latest requests',
    none: 'No requests in the last hour.',
    shown: 'Requests shown',
    choices: { all: 'All', changes: 'Changes only', failed: 'Failed only' },
    noneShown: { all: '', changes: 'None of these requests made a change.', failed: 'None of these requests failed.' },
    from: (address: string, count: number) => `${plural(count, 'request')} from ${address}`,
    details: (address: string, ms: number) =>
      ` · ${address} · ${ms.toLocaleString(undefined, { maximumSignificantDigits: 3 })} ms · `,
    all: (count: number) => `Show all ${showCount(count)}`,
    note: (time: string) =>
      `The list shows up to 200 requests since ${time}. Requests are removed from the list after an hour. If the service runs as several instances, the list shows only requests to one of them. A restart clears the list. Attempts without a valid key are not shown.`,
  },
  deprecated: {
    none: 'No calls to deprecated operations.',
    calls: (count: number) => plural(count, 'call'),
    by: (keyId: string) => ` by ${keyId}`,
    last: (count: number, time: ReactNode) => (count === 1 ? phrase`, ${time}` : phrase`, the last one ${time}`),
    removal: (days: number) =>
      days > 0 ? `; the operation will be removed in ${plural(days, 'day')}` : '; the operation has been removed',
  },
  audit: {
    none: 'No entries yet.',
    by: (name: string) => `by ${name}`,
    from: (address: string) => ` from ${address}`,
    words: {
      'key.created': 'Key created',
      'key.updated': 'Key changed',
      'key.rotated': 'Secret rotated',
      'key.revoked': 'Key revoked',
      'key.banned': 'Key banned',
      'key.unbanned': 'Ban lifted',
      'webhook.created': 'Webhook added',
      'webhook.updated': 'Webhook changed',
      'webhook.disabled': 'Webhook disabled',
      'webhook.deleted': 'Webhook deleted',
      'webhook.test': 'Webhook tested',
    } satisfies Record<AuditEntry['type'], string>,
  },
  own: {
    note: 'The key you signed in with',
    onlyOwn: 'This key cannot create keys',
    onlyOwnText:
      'To invite a colleague or see who uses a key, sign in with a key that has the permission "Manage keys", or ask the person who manages your store.',
    secret: 'Secret',
    createdLabel: 'Created',
  },
};
