import { reads } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import type { BanDeps } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { listKeysContract } from './keys.contracts.ts';
import type { KeyReads } from './keys.repository.ts';

export const listKeys = reads(
  listKeysContract,
  async (repositories: { keys: KeyReads }, { page }, _, { limiter }: BanDeps) => {
    const keys = await repositories.keys.list({ ...page, limit: page.limit + 1 });
    return answerPage(keys, page, {
      body: (key) => toKeyBody(key, limiter.bannedUntil(key.id)),
      position: formatTimePosition,
    });
  },
);
