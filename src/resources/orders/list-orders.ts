import type { InputOf } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { type Order, toOrderBody } from './order.ts';
import { listOrdersContract } from './orders.contracts.ts';
import type { OrderReads } from './orders.repository.ts';

type Input = InputOf<typeof listOrdersContract>;

const isByTime = ({ query: { placedFrom, placedTo } }: Input): boolean =>
  placedFrom !== undefined || placedTo !== undefined;

const refuse = ({ query: { petId, placedFrom = -Infinity, placedTo = Infinity }, page }: Input): void => {
  if (petId !== undefined) {
    // No index covers both filters, so a search could read every order for the pet or in the time range.
    throw faulty('invalid_parameter', {
      parameter: 'petId',
      detail: 'cannot be combined with `placedFrom` or `placedTo`; omit `petId` or the times',
    });
  }
  const at = page.after?.placedAt;
  // The service issues only cursors with a position inside the time range, so any other cursor must be forged.
  if (page.after && (at === undefined || at < placedFrom || at >= placedTo)) {
    throw faulty('invalid_cursor', { parameter: 'cursor', detail: 'is damaged; start again at the first page' });
  }
};

const read = (orders: OrderReads, input: Input): Promise<Order[]> => {
  const page = { ...input.page, limit: input.page.limit + 1 };
  if (!isByTime(input)) return orders.list(input.query, { ...page, after: page.after?.id });
  refuse(input);
  return orders.listPlaced(input.query, page);
};

export const listOrders = reads(listOrdersContract, async (repositories: { orders: OrderReads }, input) => {
  const position = ({ id, placedAt }: Order) => (isByTime(input) ? `${id}.${placedAt}` : `${id}`);
  return answerPage(await read(repositories.orders, input), input.page, { body: toOrderBody, position });
});
