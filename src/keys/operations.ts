import type { RandomText } from '../kernel/random-id.ts';
import { createKey } from './create-key.ts';
import type { Environment } from './secret.ts';

export const keyOperations = (deps: { environment: Environment; randomText: RandomText }) => [createKey(deps)];
