import type { ReactNode } from 'react';
import { phrase, plural, showCount } from '../kit/text.ts';

export const texts = {
  key: 'Key',
  create: 'Create key',
  created: 'Key created',
  edit: 'Edit',
  rotateOrRevoke: 'Rotate or revoke',
  deprecatedCalls: 'Deprecated calls',
  auditTrail: 'Audit trail',
  neverUsed: 'never used',
  lastUsed: (time: ReactNode) => phrase`last used ${time}`,
  adminNote: (variable: ReactNode) =>
    phrase`This appears to be the admin key: it has the same name and limits. The admin key is set with ${variable} when the service starts, and cannot be changed, rotated or revoked here.`,
  saved: 'Key saved. The change takes effect everywhere within a second.',
  states: { active: 'active', banned: 'banned', expired: 'expired', revoked: 'revoked' },
  fields: {
    nameHint: 'What the key is for, such as Front desk.',
    plan: 'Plan',
    limits: (limits: string) => `Limits: ${limits}.`,
    perMinute: 'Requests per minute',
    perDay: 'Requests per day',
    pets: 'Pets',
    petsHint: 'Leave empty for no limit.',
    scopes: 'Scopes',
    expires: 'Expires',
    expiresHint: 'Leave empty for a key that never expires.',
    store: 'Store',
    storeHint: 'Leave empty for store 1. A new number creates a new store.',
    stagingStoreHint: 'Enter the number of an existing store to share it. Leave empty for a new store.',
  },
  secret: {
    title: (name: string) => `This is the key for ${name}. It is shown only once.`,
    copyNow: 'Copy it now: the service stores only its hash.',
    lost: 'The response that contained the key was lost. Rotate the key to get a new one.',
    firstCall: 'Make your first call:',
  },
  rotate: {
    rotate: 'Rotate',
    oldSecret: 'Old secret',
    question: (name: string) => `Replace the secret of ${name} now?`,
    consequence: 'Programs that use the old secret stop working immediately. You cannot undo this.',
    confirm: 'Replace secret',
    graces: [
      [0, 'old secret stops working now'],
      [3600, 'old secret works for 1 more hour'],
      [86_400, 'old secret works for 1 more day'],
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
    note: (time: ReactNode) => phrase`Banned for ignoring 429 responses. The ban ends in ${time}.`,
    lift: 'Lift ban',
    lifted: (name: string) => `Ban on ${name} lifted.`,
  },
  usage: {
    perMinute: 'Per minute',
    perDay: 'Per day',
    used: (used: number, limit: number) => `${showCount(used)} of ${showCount(limit)}`,
    resetsIn: (time: ReactNode) => phrase`, resets in ${time}`,
    window: (used: number, limit: number, window: string) =>
      `${showCount(used)} of ${showCount(limit)} requests per ${window}`,
    limits: (perMinute: number, perDay: number) => `${showCount(perMinute)}/min · ${showCount(perDay)}/day`,
    pets: (count: ReactNode) => phrase`Pets in the store: ${count}`,
    petsLimit: (limit: number) => ` (limit ${showCount(limit)})`,
    thisHour: (count: ReactNode) => phrase`Requests this hour: ${count}`,
    plot: 'Requests per hour, last 30 days',
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
    from: (address: string) => ` from ${address}`,
  },
  own: {
    created: (time: ReactNode) => phrase`Created ${time}`,
    expires: (time: ReactNode) => phrase`, expires ${time}`,
  },
};
