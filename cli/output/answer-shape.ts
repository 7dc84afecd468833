import { PetstoreError } from '../../client/src/index.ts';
import type { Row } from './columns.ts';

const isThing = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Another service at the address may answer with JSON too. */
const unexpected = () =>
  new PetstoreError('what answers is no petstore service', { code: 'unexpected_answer', status: 200 });

/** What must be an object, in which these fields are text. */
export const expectThing = (value: unknown, ...texts: string[]): Row => {
  if (isThing(value) && texts.every((name) => typeof value[name] === 'string')) return value;
  throw unexpected();
};

/** What must be a list of objects. */
export const expectRows = (value: unknown): Row[] => {
  if (Array.isArray(value) && value.every(isThing)) return value;
  throw unexpected();
};
