/**
 * The console's text, kept as data so that it can be proofread and translated. This file has the text that several
 * pages share, and the text of the page frame and of the components in `kit`. Each page has its own `texts.ts`.
 * Table columns, plots, sort orders, scopes and event types have their labels in their own files.
 * API values, such as `available` and `pet.created`, are shown unchanged.
 */
import type { ReactNode } from 'react';
import { phrase, showCount } from './kit/text.ts';

/** Titles of the pages, for the navigation and the headings. */
export const titles = {
  overview: 'Overview',
  pets: 'Pets',
  orders: 'Orders',
  keys: 'Keys',
  webhooks: 'Webhooks',
  events: 'Events',
  health: 'Health',
};

export const common = {
  add: 'Add',
  cancel: 'Cancel',
  category: 'Category',
  delete: 'Delete',
  deleted: 'deleted',
  done: 'Done',
  endpoint: 'Endpoint',
  history: 'History',
  inventory: 'Inventory',
  loadMore: 'Load more',
  name: 'Name',
  placeOrder: 'Place order',
  refresh: 'Refresh',
  request: 'Request',
  resume: 'Resume',
  save: 'Save',
  saved: "I've saved it",
  show: 'Show',
  status: 'Status',
  usage: 'Usage',
  noRequestId: 'none',
  byService: 'by the service',
  byThisKey: 'by this key',
  by: (keyId: string) => `by ${keyId}`,
  pet: (id: number | bigint | string) => `pet ${id}`,
  namedPet: (name: string, id: number | bigint | string) => `${name} · pet ${id}`,
  order: (id: number | bigint | string) => `order ${id}`,
  store: (id: number | bigint) => `store ${id}`,
  left: (time: ReactNode) => phrase`${time} left`,
  /** Names of the texts that copy buttons copy, for the labels of the buttons. */
  copied: {
    client: 'client code',
    command: 'command',
    curl: 'curl command',
    event: 'event',
    eventId: 'event ID',
    id: 'ID',
    key: 'key',
    request: 'request',
    requestId: 'request ID',
    response: 'response',
    secret: 'secret',
  },
};

export const texts = {
  signIn: {
    key: 'API key',
    hint: 'The service printed or saved the admin key when it first started. Your key is kept only in this tab, until you close the tab.',
    stagingHint: 'Starts with ps_test_. Your key is kept only in this tab, until you close the tab.',
    signIn: 'Sign in',
    help: 'How keys work',
  },
  updated: 'The console has been updated. Reload the page.',
  notice: {
    ended: 'This key is no longer valid: it was revoked or rotated, or has expired.',
    signInAgain: 'Sign in with another key',
    unreachable: 'Cannot reach the service.',
    retrying: (reason: string, time: ReactNode) => phrase`${reason} Retrying in ${time}.`,
  },
  shell: {
    product: 'Pet Store',
    console: 'Console',
    pages: 'Pages',
    docs: 'Docs ↗',
    skip: 'Skip to content',
    notFound: 'Page not found',
    notFoundHint: 'This page does not exist, or your key does not have access to it.',
    live: 'live',
    search: 'Search',
    signOut: 'Sign out',
    used: (used: number, limit: number) => `${showCount(used)} of ${showCount(limit)} requests used`,
    theme: (theme: string) => `Theme: ${theme}`,
  },
  commands: {
    search: 'Search pages, actions and pets',
    shortcuts: 'Show keyboard shortcuts',
    goTo: (page: string) => `Go to ${page}`,
  },
  palette: {
    placeholder: 'Page, action or pet name',
    results: 'Results',
    none: 'No results.',
    pet: (name: string, id: number | bigint) => `${name} · pet ${id}`,
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    nextRow: 'Next or previous row',
    openRow: 'Open row',
    selectRow: 'Select row',
    areOn: 'Enable single-key shortcuts everywhere, not only in tables',
  },
  staging: {
    title: 'Staging',
    note: 'Staging: test data only.',
    reset: 'Reset store',
    question: 'Reset the store?',
    consequence:
      'All pets, orders and categories are replaced with those of a new sandbox. Keys, webhooks and past events are kept.',
    done: 'Store reset.',
  },
  kit: {
    apiCall: 'API request',
    close: 'Close',
    confirmBy: (text: string) => `Type "${text}" to confirm`,
    copy: 'Copy',
    copyName: (what: string) => `Copy ${what}`,
    copyLabelled: (label: string, what: string) => `${label}: copy ${what}`,
    copied: '✓ Copied',
    notCopied: '✕ Could not copy. Select the text and copy it.',
    dismiss: 'Dismiss',
    loading: 'Loading',
    never: 'never',
    now: 'now',
    ago: (amount: string) => `${amount} ago`,
    fromNow: (amount: string) => `in ${amount}`,
    noValue: 'no data',
    requestId: (id: ReactNode) => phrase`Request ID ${id}`,
    selectAll: 'Select all loaded rows',
    select: (id: string) => `Select ${id}`,
    tryAgain: 'Try again',
  },
  eventBoxes: {
    all: 'Select all',
    none: 'Clear',
    of: (action: string, kind: string) => `${action}: ${kind}`,
  },
};
