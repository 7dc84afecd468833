import type { z } from 'zod';
import { type Contract, MAX_ROWS, ROWS_PER_REQUEST } from '../../kernel/contract.ts';
import { Failure, type Fault, faulty, faultyField } from '../../kernel/failure.ts';
import { findJsonRows, type JsonRows, withoutTrailingSpace } from '../../kernel/json-rows.ts';
import { formatCount } from '../../kernel/schema.ts';
import { MANY_ROWS, noBody, ONE_ROW, parseBytes } from './read-body.ts';
import { bodyFaults, checkBody } from './read-input.ts';

const BYTES_PER_REQUEST = (MANY_ROWS.bytes * ROWS_PER_REQUEST) / MAX_ROWS;

type Located = {
  bytes: Uint8Array;
  rows: JsonRows;
  cost: number;
  /**
   * The cost by rows or the cost by bytes, whichever is higher: refusing a few large rows can take as long as refusing
   * many small ones.
   */
  costIfInvalid: number;
};

const NO_LIST: JsonRows = { ranges: [], opened: 0, closed: 0 };

const countOf = ({ ranges }: JsonRows): number => ranges.length / 2;

// Parsing JSON cannot be interrupted, so the rest of the body must fit within the size limit of a single row.
const parseRest = ({ bytes, rows: { opened, closed } }: Located, batchOf: string): unknown => {
  const behind = withoutTrailingSpace(bytes.subarray(closed));
  if (opened + behind.length > ONE_ROW.bytes) {
    throw new Failure(
      'invalid_json',
      `The part of the body outside \`${batchOf}\` must be at most ${ONE_ROW.spelled}.`,
    );
  }
  return parseBytes(Buffer.concat([bytes.subarray(0, opened), behind]), ONE_ROW.json);
};

export const createBatchReader = ({ batchOf, input }: Contract) => {
  if (batchOf === undefined || !input.body) return undefined;
  const schema = input.body;
  const rowSchema = (schema.shape[batchOf] as z.ZodArray<z.ZodType>).element;
  const restSchema = schema.omit({ [batchOf]: true } as never);

  const checkRest = (rest: unknown, rows: JsonRows): object => {
    const list = (rest as Record<string, unknown> | null)?.[batchOf];
    if (countOf(rows) > 0 && Array.isArray(list) && list.length === 0) return checkBody(restSchema, rest) as object;
    checkBody(schema, rest);
    // `locate` does not find rows under an escaped field name, such as `\u0070ets`, so the cost does not include them.
    throw faultyField(batchOf, 'must not have escape sequences in its field name');
  };

  const readRow = (row: Uint8Array, index: number): { data: unknown } | { faults: Fault[] } => {
    const place = [batchOf, index];
    if (row.length > ONE_ROW.bytes) {
      return { faults: [{ field: place, detail: `must be at most ${ONE_ROW.spelled}` }] };
    }
    const parsed = rowSchema.safeParse(parseBytes(row, ONE_ROW.json, `${batchOf}[${index}]`));
    return parsed.success ? { data: parsed.data } : { faults: bodyFaults(parsed.error, place) };
  };

  return {
    /** Counts the rows without parsing them, so that the batch is charged before any expensive work is done. */
    *locate(bytes: Uint8Array | undefined): Generator<void, Located> {
      if (!bytes || bytes.length === 0) throw noBody();
      const rows = (yield* findJsonRows(bytes, batchOf, MAX_ROWS)) ?? NO_LIST;
      const count = countOf(rows);
      const byBytes = Math.ceil(bytes.length / BYTES_PER_REQUEST);
      const cost = count > 0 && count <= MAX_ROWS ? Math.ceil(count / ROWS_PER_REQUEST) : byBytes;
      return { bytes, rows, cost, costIfInvalid: Math.max(cost, byBytes) };
    },

    *read(located: Located): Generator<void, unknown> {
      const { bytes, rows } = located;
      if (countOf(rows) > MAX_ROWS) throw faultyField(batchOf, `must have at most ${formatCount(MAX_ROWS)} ${batchOf}`);
      const rest = checkRest(parseRest(located, batchOf), rows);
      const values: unknown[] = [];
      const faults: Fault[] = [];
      for (let index = 0; index < countOf(rows); index += 1) {
        yield;
        const row = readRow(bytes.subarray(rows.ranges[2 * index], rows.ranges[2 * index + 1]), index);
        if ('data' in row) values.push(row.data);
        else faults.push(...row.faults);
      }
      yield;
      if (faults.length > 0) throw faulty('invalid_request', ...faults);
      return { ...rest, [batchOf]: values };
    },
  };
};
