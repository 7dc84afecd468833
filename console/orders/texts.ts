import type { ReactNode } from 'react';
import { phrase, plural, showCount } from '../kit/text.ts';

export const texts = {
  placeOrder: 'Place order',
  empty: {
    title: 'No orders yet',
    text: 'An order holds a pet for a customer. When the order has been approved and delivered, the pet is sold.',
    place: 'Place your first order',
  },
  columns: {
    placed: { title: 'Placed', hint: 'No orders waiting for approval. A placed order holds its pet.' },
    approved: { title: 'Approved', hint: 'No approved orders. An approved order does not expire.' },
    delivered: { title: 'Delivered', hint: 'No delivered orders. Delivering an order marks its pet as sold.' },
    closed: { title: 'Closed', hint: 'No cancelled or expired orders.' },
    expiringSoon: (count: number) => ` · ${showCount(count)} expiring soon`,
  },
  cannotReturn: 'An order cannot go back to placed. Cancel it and place a new one.',
  cancel: {
    question: (id: number | bigint) => `Cancel order ${id}?`,
    consequence: 'The pet becomes available again. You cannot reopen a cancelled order.',
    confirm: 'Cancel order',
    keep: 'Keep order',
  },
  moved: (id: number | bigint, status: string) => `Order ${id} ${status}.`,
  card: {
    holdEnded: 'hold expired',
    expiresIn: (time: ReactNode) => phrase`expires in ${time}`,
    move: (action: string, id: number | bigint) => `${action} order ${id}`,
  },
  drawer: {
    title: (id: string) => `Order ${id}`,
    notAnId: (id: string) => `"${id}" is not an order ID. An order ID contains only digits.`,
    pet: 'Pet',
    placed: 'Placed',
    updated: 'Last updated',
    holdEndsIn: 'Hold expires in',
    noHistory: "None of the store's latest 100 events are about this order.",
  },
  inventory: {
    none: 'No pet changes are recorded.',
    plot: 'Pets by status',
    latest: (count: number, time: ReactNode) => phrase`Shows the latest ${plural(count, 'change')} (oldest: ${time}).`,
    all: (count: number, time: ReactNode) => phrase`Shows all ${plural(count, 'recorded change')} (oldest: ${time}).`,
  },
  place: {
    pet: 'Pet',
    hint: 'Type an ID or the start of a name. Press Enter to order the first result.',
    order: 'Order',
    orderPet: (name: string, id: number | bigint) => `Order ${name}, pet ${id}`,
    noMatch: 'No available pets match.',
    noneAvailable: 'No pets are available.',
    note: 'The pet is held until the order is delivered or cancelled. An order that is not approved in time expires.',
    placed: (id: number | bigint, name: string) => `Order ${id} placed for ${name}.`,
    open: 'Open',
  },
};
