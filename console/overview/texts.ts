import type { ReactNode } from 'react';
import type { EventType } from '../../client/src/index.ts';
import { phrase, plural, showCount } from '../kit/text.ts';

const showBytes = (bytes: number): string =>
  `${(bytes / 1e9).toLocaleString(undefined, { maximumFractionDigits: 1 })} GB`;

export const texts = {
  figures: {
    title: 'Key figures',
    available: 'Available pets',
    added: (count: number) => `${showCount(count)} added in the last 7 days`,
    others: (pending: number, sold: number) => `${showCount(pending)} pending, ${showCount(sold)} sold`,
    openOrders: 'Open orders',
    waiting: (count: string) => `${count} waiting for approval`,
    noneWaiting: 'None waiting for approval',
    sold: 'Sold, last 7 days',
    compared: (more: number) =>
      more === 0
        ? 'Same as the week before'
        : `${showCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than the week before`,
    soldToday: (count: number) => `${showCount(count)} today`,
    requests: 'Requests, 24 h',
    ownRequests: 'Your requests, 24 h',
    errors: (count: number, share: number) =>
      count === 0
        ? 'No server errors'
        : `${plural(count, 'server error')} (${share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })})`,
    noRequests: 'None yet',
  },
  sales: { title: 'Pets sold per day', plot: 'Last 14 days', sold: 'Sold' },
  stock: { title: 'Stock', allPets: 'All pets', plot: 'Last 14 days', added: 'Added' },
  needs: {
    title: 'Needs attention',
    none: 'Nothing needs attention.',
    openOrder: 'Open order',
    openOrders: 'Open orders',
    openWebhook: 'Open webhook',
    openKey: 'Open key',
    openHealth: 'View health',
    viewKeys: 'View keys',
    hold: (pet: string) => `The hold on ${pet} is about to expire`,
    holdDetail: (id: number | bigint) => `Approve order ${id} to keep the pet on hold.`,
    waiting: (count: string, isOne: boolean, hasMore: boolean) =>
      `${count}${hasMore ? ' more' : ''} ${isOne ? 'order is' : 'orders are'} waiting for approval`,
    oldest: (pet: string, isOne: boolean) => (isOne ? `It is for ${pet}.` : `The oldest is for ${pet}.`),
    ready: (count: string, isOne: boolean) => `${count} approved ${isOne ? 'order is' : 'orders are'} ready to deliver`,
    readyDetail: 'Mark an order as delivered once the customer has received the pet.',
    disabledWebhook: (endpoint: string) => `${endpoint} is not receiving events`,
    disabledReason: (reason: string) => `Its webhook is disabled: ${reason}.`,
    failingWebhook: (endpoint: string) => `Deliveries to ${endpoint} are failing`,
    failingDetail: 'The latest attempts failed. The webhook shows the reason.',
    countdown: {
      left: (time: ReactNode) => phrase`${time} left.`,
      resets: (time: ReactNode) => phrase`Resets in ${time}.`,
      banEnds: (time: ReactNode) => phrase`The ban ends in ${time}.`,
    },
    bannedKey: (name: string) => `${name} is temporarily banned`,
    bannedDetail: 'A program kept using this key after the key had reached its limit.',
    usedKey: (name: string, share: number, window: 'minute' | 'day') =>
      `${name} has used ${share}% of its requests for this ${window}`,
    usedDetail: (used: number, limit: number) => `${showCount(used)} of ${showCount(limit)} requests used.`,
    disk: 'Disk space is running out',
    diskDetail: (free: number, needed: number) =>
      `${showBytes(free)} free. A backup and new data need ${showBytes(needed)}.`,
    failedBackup: 'The last backup failed',
    noBackup: 'This store has no backup yet',
    noBackupDetail: 'If the disk failed, you would lose every pet and order.',
    oldBackup: (days: number) => `The last backup is ${plural(Math.floor(days), 'day')} old`,
    oldBackupDetail: 'If the disk failed, you would lose everything since then.',
    deprecated: (names: readonly string[], days: number) =>
      `${names.length > 2 ? plural(names.length, 'key') : names.join(' and ')} ${names.length === 1 ? 'uses' : 'use'} an operation that ${
        days > 0 ? `will be removed in ${plural(days, 'day')}` : 'has been removed'
      }`,
    deprecatedDetail: (operation: string, sunset: string) =>
      `Replace ${operation} before ${new Date(sunset).toLocaleDateString(undefined, { dateStyle: 'long' })}.`,
  },
  activity: {
    title: 'Activity',
    all: 'All events',
    none: 'Nothing has happened yet.',
    unnamed: 'a category without a name',
    sentences: {
      'pet.created': (name) => phrase`added ${name}`,
      'pet.updated': (name) => phrase`changed ${name}`,
      'pet.status_changed': (name) => phrase`changed the status of ${name}`,
      'pet.deleted': (name) => phrase`removed ${name}`,
      'order.placed': (name) => phrase`placed an order for ${name}`,
      'order.approved': (name) => phrase`approved the order for ${name}`,
      'order.delivered': (name) => phrase`delivered ${name}`,
      'order.cancelled': (name) => phrase`cancelled the order for ${name}`,
      'order.expired': (name) => phrase`ended the hold on ${name}`,
      'category.created': (name) => phrase`added the category ${name}`,
      'category.updated': (name) => phrase`renamed the category ${name}`,
      'category.deleted': (name) => phrase`removed the category ${name}`,
      'key.created': (name) => phrase`created the ${name} key`,
      'key.updated': (name) => phrase`changed the ${name} key`,
      'key.rotated': (name) => phrase`replaced the secret of ${name}`,
      'key.revoked': (name) => phrase`revoked the ${name} key`,
      'key.banned': (name) => phrase`banned the ${name} key`,
      'key.unbanned': (name) => phrase`lifted the ban on ${name}`,
      'webhook.created': (name) => phrase`added a webhook for ${name}`,
      'webhook.updated': (name) => phrase`changed the webhook for ${name}`,
      'webhook.disabled': (name) => phrase`disabled the webhook for ${name}`,
      'webhook.deleted': (name) => phrase`removed the webhook for ${name}`,
      'webhook.test': (name) => phrase`tested the webhook for ${name}`,
    } satisfies Record<EventType, (name: ReactNode) => ReactNode>,
    became: {
      available: (name) => phrase`made ${name} available again`,
      pending: (name) => phrase`marked ${name} as pending`,
      sold: (name) => phrase`sold ${name}`,
    } as Record<string, (name: ReactNode) => ReactNode>,
    renamed: (from: ReactNode, to: ReactNode) => phrase`renamed ${from} to ${to}`,
    merged: (from: ReactNode, into: ReactNode) => phrase`merged the category ${from} into ${into}`,
    renamedCategory: (from: ReactNode, to: ReactNode) => phrase`renamed the category ${from} to ${to}`,
    moved: (pets: ReactNode, category: ReactNode) => phrase`moved ${pets} to the category ${category}`,
    atLeast: 'at least ',
    pets: (count: number, least: string) => `${least}${plural(count, 'pet')}`,
    addedCategories: (count: number, least: string) => `added ${least}${showCount(count)} categories`,
  },
  rehearsal: {
    title: 'Upcoming API removals',
    removedOn: (operation: ReactNode, day: string) => phrase`${operation} will be removed on ${day}.`,
    today: "This staging service uses today's date, so the operation still works.",
    before: (day: string) => `This staging service acts as if today were ${day}. The operation still works.`,
    after: (day: string) =>
      `This staging service acts as if today were ${day}. The operation already returns 410, so programs that still call it fail here first.`,
    setBy: (variable: ReactNode) => phrase`The operator sets the date with ${variable}.`,
    about: 'About staging',
  },
  sample: {
    title: 'This store has sample data',
    text: 'Its pets, orders and categories are examples, so try anything: sell a pet, deliver an order, import a file. "Reset store" at the top brings the samples back.',
    dismiss: 'Got it',
  },
  guide: {
    title: 'Getting started',
    close: 'Close',
    done: 'done',
    tabs: { shop: 'Your shop', developer: 'For developers' },
  },
  addStep: {
    title: 'Add your pets',
    text: 'Add them one at a time, or import a spreadsheet.',
    add: 'Add a pet',
    import: 'Import a file',
  },
  orderStep: {
    title: 'Take an order',
    text: 'An order holds a pet for a customer. Approve the order, then mark it as delivered when the pet leaves the shop.',
    noPets: 'Add a pet first.',
  },
  inviteStep: {
    title: 'Invite a colleague',
    text: 'Colleagues sign in with their own keys, so that you can see who did what.',
    askOwner: 'Ask the person who manages your store to create a key for each colleague.',
    name: "Colleague's name",
    create: (storeId: number | bigint) => `Create key for store ${storeId}`,
    created: (name: string) => `Send this key to ${name}`,
    note: 'The key is shown only once. To sign in, your colleague opens this page and enters the key.',
    lost: 'The key was created earlier and cannot be shown again.',
  },
  keyStep: {
    title: 'Create a key for your program',
    name: 'Key name',
    hint: 'The key can read and change pets and orders, with a limit of 60 requests per minute. You can change this under Keys.',
    example: 'My first program',
    create: 'Create key',
    created: 'Copy the key now',
    note: 'The key is shown only once, because the service does not keep a readable copy.',
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
