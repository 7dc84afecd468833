import { onEveryEngine } from '../../test/database.ts';
import { keyStoreSuite } from './keys.store.suite.ts';

onEveryEngine(keyStoreSuite);
