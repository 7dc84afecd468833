import { CONTRACTS, createSent, TAGS } from '../src/contract.ts';
import { createDocument } from '../src/http/openapi.ts';
import { VERSION } from '../src/version.ts';

/** The document of all operations, whichever environment serves them. */
export const createOpenapi = () =>
  createDocument({ contracts: CONTRACTS, tags: TAGS, sent: createSent(), version: VERSION });
