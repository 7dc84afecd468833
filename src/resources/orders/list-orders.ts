import type { InputOf } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { type Order, toOrderBody } from './order.ts';
import { listOrdersContract } from './orders.contracts.ts';
import { isByTime, type OrderReads } from './orders.repository.ts';

type Input = InputOf<typeof listOrdersContract>;

const refuse = ({ query: { petId, placedFrom = -Infinity, placedTo = Infinity }, page }: Input): void => {
  if (petId !== undefined) {
    // No index covers both filters, so a search could read every order for the pet or in the time range.
    throw faulty('invalid_parameter', {
      parameter: 'petId',
      detail: 'cannot be combined with `placedFrom` or `placedTo`; omit `petId` or the times',
    });
  }
  const at = page.after?.placedAt;
  // The service issues only cursors with a position inside the time range, so any other cursor was forged.
  if (page.after && (at === undefined || at < placedFrom || at >= placedTo)) {
    throw faulty('invalid_cursor', { parameter: 'cursor', detail: 'is damaged; start again from the first page' });
  }
};

export const listOrders = reads(listOrdersContract, async ({ orders }: { orders: OrderReads }, input) => {
  const { query, page } = input;
  if (isByTime(query)) refuse(input);
  const position = ({ id, placedAt }: Order) => (isByTime(query) ? `${id}.${placedAt}` : `${id}`);
  const rows = await orders.list(query, { ...page, limit: page.limit + 1 });
  return answerPage(rows, page, { body: toOrderBody, position });
});
