import { onEveryEngine } from '../../test/database.ts';
import { keyRepositorySuite } from './keys.repository.suite.ts';

onEveryEngine(keyRepositorySuite);
