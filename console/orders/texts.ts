import type { ReactNode } from 'react';
import type { OrderStatus } from '../../client/src/index.ts';
import { phrase, plural, showCount } from '../kit/text.ts';
import type { Preset } from './filters.ts';

export const texts = {
  latest: { title: 'Latest orders', all: 'All orders', none: 'No orders yet.' },
  views: { board: 'Board', list: 'List' },
  view: 'View',
  keys: (approve: ReactNode, deliver: ReactNode, cancel: ReactNode) =>
    phrase`Drag an order, or press ${approve} to approve, ${deliver} to deliver or ${cancel} to cancel`,
  commands: {
    next: 'Next order',
    previous: 'Previous order',
    move: (action: string) => `${action} order`,
    selectFirst: 'Select an order first: press j or k, or Tab.',
  },
  statuses: {
    placed: 'Placed',
    approved: 'Approved',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
    expired: 'Expired',
  } as Record<OrderStatus, string>,
  empty: {
    title: 'No orders yet',
    text: 'An order holds a pet for a customer. Once the order is approved and delivered, the pet is marked as sold.',
    place: 'Take your first order',
  },
  columns: {
    placed: {
      title: 'Placed',
      about: 'Waiting for approval',
      hint: 'No orders are waiting for approval. When you place an order, the pet is reserved and the order appears here.',
    },
    approved: {
      title: 'Approved',
      about: 'Ready to deliver',
      hint: 'No approved orders. An approved order does not expire.',
    },
    delivered: {
      title: 'Delivered',
      about: 'Sold',
      hint: 'No delivered orders. Delivering an order marks its pet as sold.',
    },
    closed: { title: 'Closed', about: 'Cancelled or expired', hint: 'No cancelled or expired orders.' },
    expiringSoon: (count: number) => `${showCount(count)} expiring soon`,
  },
  refused: (from: OrderStatus, to: OrderStatus): string => {
    if (from === 'placed') return 'Not moved. Approve this order before you deliver it.';
    if (from === to) return `Someone else already ${from} this order.`;
    if (from === 'approved') return 'Not moved. An approved order cannot go back. Deliver it, or cancel it.';
    if (from === 'expired') return 'Not moved. The hold on this pet has expired. Place a new order.';
    return `Not moved. This order is already ${from}. Place a new order.`;
  },
  list: {
    label: 'Orders',
    count: (count: number, isMore: boolean) => `${plural(count, 'order')}${isMore ? ' so far' : ''}`,
    search: 'Pet or order number',
    searchHint: 'Pet or number',
    status: 'Status',
    anyStatus: 'Any status',
    when: 'Placed',
    presets: {
      any: 'Placed any time',
      today: 'Placed today',
      yesterday: 'Placed yesterday',
      week: 'Last 7 days',
      month: 'Last 30 days',
      custom: 'Choose dates',
    } as Record<Preset, string>,
    from: 'From',
    to: 'To',
    clear: 'Clear filters',
    noneTitle: 'No matching orders',
    clearDate: 'Clear the date',
    noneOnDate: 'The dates are the days on which orders were placed.',
    none: 'Change the filters, or clear them to see all orders.',
    columns: { order: 'Order', pet: 'Pet', status: 'Status', placed: 'Placed', updated: 'Last updated' },
  },
  cancel: {
    question: (id: number | bigint, pet: string | undefined) =>
      pet === undefined ? `Cancel order ${id}?` : `Cancel order ${id} for ${pet}?`,
    consequence: 'The pet becomes available again. You cannot reopen a cancelled order.',
    confirm: 'Cancel order',
    keep: 'Keep order',
  },
  moved: (id: number | bigint, status: string, pet: string | undefined) =>
    pet === undefined ? `Order ${id} ${status}.` : `Order ${id} for ${pet} ${status}.`,
  card: {
    holdEnded: 'Hold expired',
    hold: 'Time left on the hold',
    move: (action: string, id: number | bigint) => `${action} order ${id}`,
  },
  drawer: {
    title: (id: string) => `Order ${id}`,
    notAnId: (id: string) => `"${id}" is not an order ID. An order ID contains only digits.`,
    hold: 'Hold',
    by: (actor: string) => `by ${actor}`,
    story: {
      'order.placed': 'Order placed',
      'order.approved': 'Order approved',
      'order.delivered': 'Pet delivered',
      'order.cancelled': 'Order cancelled',
      'order.expired': 'Hold expired, because nobody approved the order in time',
      'pet.status_changed': "Pet's status changed",
    } as Record<string, string>,
    became: {
      pending: 'Pet held for this order',
      available: 'Pet available again',
      sold: 'Pet marked as sold',
    } as Record<string, string>,
    noHistory: 'No changes to show. Older changes may have been removed.',
  },
  place: {
    pet: 'Pet',
    hint: "Type a pet's name or number. Press Enter to select the first result.",
    results: 'Available pets',
    noMatch: 'No matching pets are available.',
    noneAvailable: 'No pets are available.',
    more: (shown: number, total: number | undefined) =>
      total === undefined
        ? `The first ${shown} pets; type more to find others.`
        : `${shown} of ${plural(total, 'pet')}; type to find others.`,
    note: 'The pet is held until the order is delivered or cancelled. Without approval, the hold expires. The order shows the time left.',
    confirm: (name: string | undefined) => (name === undefined ? 'Place order' : `Place order for ${name}`),
    choose: 'Select a pet first.',
    placed: (id: number | bigint, name: string) => `Order ${id} placed for ${name}.`,
  },
};
