import { CONTRACTS, createSent, TAGS } from '../src/contracts.ts';
import { createDocument } from '../src/http/openapi/document.ts';
import { VERSION } from '../src/version.ts';

/** The document of all operations, whichever environment serves them. */
export const createOpenapi = () =>
  createDocument({ contracts: CONTRACTS, tags: TAGS, sent: createSent(), version: VERSION });
