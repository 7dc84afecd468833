import { describe } from 'bun:test';
import { openTestDatabase } from '../../test/database.ts';
import { limitStoreSuite } from './limits.store.suite.ts';

describe('on SQLite', () => limitStoreSuite(openTestDatabase));
