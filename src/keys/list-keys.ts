import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { spellTimePosition } from '../kernel/time-position.ts';
import { toKeyBody } from './key.body.ts';
import type { KeyReads } from './keys.repository.ts';
import { listKeysContract } from './list-keys.contract.ts';

export const listKeys = reads(listKeysContract, async (repositories: { keys: KeyReads }, { page }) => {
  const keys = await repositories.keys.list({ ...page, limit: page.limit + 1 });
  return answerPage(keys, page, {
    body: toKeyBody,
    position: spellTimePosition,
  });
});
