import { describe } from 'bun:test';
import { openTestDatabase } from '../../test/database.ts';
import { keyStoreSuite } from './keys.store.suite.ts';

describe('on SQLite', () => keyStoreSuite(openTestDatabase));
