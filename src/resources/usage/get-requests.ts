import { reads } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { findKey, type KeyReads } from '../keys/keys.repository.ts';
import type { UsageCounter } from './counter.ts';
import { getKeyRequestsContract, getRequestsContract } from './usage.contracts.ts';
import { toRecentRequestsBody } from './usage.ts';

type Repositories = { keys: KeyReads; now: Clock };
type Deps = { counter: Pick<UsageCounter, 'recentOf'>; mask(text: string): string };

const showRequests = ({ now }: Repositories, { counter, mask }: Deps, keyId: string) => ({
  body: toRecentRequestsBody(keyId, counter.recentOf(keyId), { now: now(), mask }),
});

export const getRequests = reads(getRequestsContract, (repositories: Repositories, _, { keyId }, deps: Deps) =>
  showRequests(repositories, deps, keyId ?? ''),
);

export const getKeyRequests = reads(
  getKeyRequestsContract,
  async (repositories: Repositories, { path }, _, deps: Deps) => {
    const { id } = await findKey(repositories.keys, path.keyId);
    return showRequests(repositories, deps, id);
  },
);
