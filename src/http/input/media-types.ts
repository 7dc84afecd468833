import type { Contract } from '../../kernel/contract.ts';

/** What a body may be: JSON, and for a change also a merge patch (RFC 7396), which is what we take it for. */
export const mediaTypesOf = ({ method }: Contract): readonly string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
