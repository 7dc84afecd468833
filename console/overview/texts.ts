import type { ReactNode } from 'react';
import { phrase, plural, showCount } from '../kit/text.ts';
import { common } from '../texts.ts';

export const texts = {
  inventoryHistory: 'View history',
  needs: {
    title: 'Needs attention',
    none: '● Nothing needs attention.',
    openOrder: 'Open order',
    openWebhook: 'Open webhook',
    openKey: 'Open key',
    viewKeys: 'View keys',
    order: (id: number | bigint) => `Order ${id} will expire unless it is approved`,
    disabledWebhook: (host: string, reason: string) => `Webhook to ${host} is disabled: ${reason}`,
    failingWebhook: (host: string) => `Deliveries to ${host} are failing`,
    countdown: {
      left: common.left,
      resets: (time: ReactNode) => phrase`resets in ${time}`,
      banEnds: (time: ReactNode) => phrase`ban ends in ${time}`,
    },
    bannedKey: (name: string) => `Key ${name} is banned`,
    usedKey: (name: string, used: number, limit: number, window: 'minute' | 'day') =>
      `Key ${name} has used ${showCount(used)} of its ${showCount(limit)} requests per ${window}`,
    deprecated: (operation: string, days: number, keys: number) =>
      `${operation} ${days > 0 ? `will be removed in ${plural(days, 'day')}` : 'has been removed'}; ${plural(keys, 'key')} still ${keys === 1 ? 'calls' : 'call'} it`,
  },
  recentEvents: {
    title: 'Events in the last hour',
    none: 'No events in the last hour.',
    plot: 'Events per 5 minutes',
    line: 'events',
    category: 'category',
  },
  requests: {
    title: 'Requests by status',
    ownKey: 'This key, per hour, last 24 hours',
    keys: (count: number) => `The ${count} most recently used keys, per hour, last 24 hours`,
  },
  rehearsal: {
    title: 'Removal rehearsal',
    removedOn: (operation: ReactNode, day: string) => phrase`${operation} will be removed on ${day}.`,
    today: "This staging service uses today's date, so the operation still works.",
    before: (day: string) => `This staging service acts as if today were ${day}. The operation still works.`,
    after: (day: string) =>
      `This staging service acts as if today were ${day}. The operation already returns 410, so programs that still call it fail here first.`,
    setBy: (variable: ReactNode) => phrase`The operator sets the date with ${variable}.`,
    about: 'About staging',
  },
  guide: {
    title: 'Getting started',
    close: 'Close guide',
    done: 'done',
  },
  addStep: {
    title: 'Add your first pet',
    add: 'Add Rex, a dog',
    orTerminal: 'Or from a terminal:',
    added: (name: ReactNode, id: number | bigint) => phrase`${name} was added as pet ${id}.`,
  },
  keyStep: {
    title: 'Create a key for your program',
    name: 'Key name',
    hint: 'The key can read and change pets and orders, with a limit of 60 requests per minute. You can change this under Keys.',
    example: 'My first program',
    create: 'Create key',
    created: 'Copy the key now. It is shown only once: the service stores only its hash.',
  },
  callStep: {
    title: 'Make your first call from a terminal',
    setNewKey: 'Set API_KEY in your terminal to the new key:',
    setOwnKey: 'Set API_KEY in your terminal to your current key:',
    copyKey: 'Copy export API_KEY=…',
    addPet: 'Then add a pet:',
    received: 'Received',
    receivedFrom: (pet: ReactNode, key: ReactNode, request: ReactNode) =>
      phrase`: ${pet}, from key ${key}, request ${request}.`,
    waiting: 'Waiting for your call. It appears here as soon as it arrives.',
    seeUnder: (pets: ReactNode) => phrase`The pet then appears under ${pets}.`,
  },
};
