import type { ReactNode } from 'react';
import { phrase, plural, showCount } from '../kit/text.ts';

export const texts = {
  placeOrder: '+ Place order',
  empty: {
    title: 'No orders yet',
    text: 'An order holds a pet for a customer. It is placed, approved and delivered; then the pet is sold.',
    place: 'Place your first order',
  },
  columns: {
    placed: { title: 'Placed', hint: 'Orders waiting for approval. Each one holds its pet.' },
    approved: { title: 'Approved', hint: 'Approved orders no longer expire.' },
    delivered: { title: 'Delivered', hint: 'Delivered orders. Their pets are sold.' },
    closed: { title: 'Closed', hint: 'Cancelled and expired orders.' },
    expiringSoon: (count: number) => ` · ${showCount(count)} expiring soon`,
  },
  cannotReturn: 'An order cannot return to placed. Cancel it and place a new one.',
  cancel: {
    question: (id: number | bigint) => `Cancel order ${id}?`,
    consequence: 'Its pet becomes available again. You cannot reopen a cancelled order.',
    confirm: 'Cancel order',
    keep: 'Keep order',
  },
  moved: (id: number | bigint, status: string) => `Order ${id} ${status}.`,
  card: {
    holdEnded: '◌ hold expired',
    expiresIn: (time: ReactNode) => phrase`expires in ${time}`,
    move: (action: string, id: number | bigint) => `${action} order ${id}`,
  },
  drawer: {
    title: (id: string) => `Order ${id}`,
    notAnId: (id: string) => `"${id}" is not an order ID. An order ID has only digits.`,
    pet: 'Pet',
    placed: 'Placed',
    updated: 'Last updated',
    holdEndsIn: 'Hold expires in',
    noHistory: "The store's latest 100 events do not mention this order.",
  },
  inventory: {
    none: 'The stored events contain no changes to pets.',
    plot: 'Pets by status',
    latest: (count: number, time: ReactNode) => phrase`Latest ${plural(count, 'change')}; the oldest was ${time}.`,
    all: (count: number, time: ReactNode) => phrase`All ${plural(count, 'stored change')}; the oldest was ${time}.`,
  },
  place: {
    pet: 'Pet',
    hint: 'Type an ID or the start of a name. Enter orders the first result.',
    order: 'Order',
    orderPet: (name: string, id: number | bigint) => `Order ${name}, pet ${id}`,
    noMatch: 'No available pet matches.',
    noneAvailable: 'No pets are available.',
    note: 'The pet is held until the order is delivered or cancelled, or expires without approval.',
    placed: (id: number | bigint, name: string) => `Order ${id} placed for ${name}.`,
    open: 'Open',
  },
};
