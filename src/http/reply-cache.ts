import type { Reply } from './reply.ts';

const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_REQUESTED = 1000;
const LONGEST_NAME = 500;

export type CacheLookup = { name: string; commits: number; cached: Reply | undefined };

/** `commits` must count every write. Otherwise, the cache could return outdated replies. */
export const createReplyCache = (commits: () => number, maxCharacters = MAX_CHARACTERS) => {
  const replies = new Map<string, Reply>();
  const requested = new Set<string>();
  let characters = 0;
  let cachedAt = commits();

  const clear = (): void => {
    replies.clear();
    requested.clear();
    characters = 0;
  };

  const renew = (): number => {
    const now = commits();
    if (now !== cachedAt) clear();
    cachedAt = now;
    return now;
  };

  // A reply is cached at its second request, because caching every reply costs more garbage collection than it saves.
  const isRequestedAgain = (name: string): boolean => {
    if (requested.has(name)) return true;
    if (requested.size >= MAX_REQUESTED) requested.clear();
    requested.add(name);
    return false;
  };

  return {
    find(name: string): CacheLookup {
      const now = renew();
      return { name, commits: now, cached: replies.get(name) };
    },

    keep({ name, commits: before }: CacheLookup, made: Reply): Reply {
      if (renew() !== before || name.length > LONGEST_NAME || !isRequestedAgain(name)) return made;
      const { status, headers } = made;
      const text = made.text ?? JSON.stringify(made.body);
      const reply = { status, headers, text };
      characters += name.length + text.length;
      if (characters > maxCharacters) clear();
      else replies.set(name, reply);
      return reply;
    },
  };
};

export type ReplyCache = ReturnType<typeof createReplyCache>;
