import type { Reply } from '../reply.ts';

/** Characters of all pages that are kept; with more, all are dropped. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** So many names of pages that were asked for once are remembered. */
const MOST_ASKED = 1000;
/** A page with a longer name is not kept. */
const LONGEST_NAME = 500;

/** A page that was asked for, how many writes there were by then, and the page if it is kept. */
export type PageLookup = { name: string; commits: number; kept: Reply | undefined };

export type PageCache = {
  find(name: string): PageLookup;
  /** Keeps the reply if the page was asked for before and nothing was written since the lookup; returns what to send. */
  keep(lookup: PageLookup, reply: Reply): Reply;
};

/**
 * Pages of lists as they were answered, from the second time on, until the next write of any kind. `commits` must count
 * every write there is, so that a page is never older than what is stored.
 */
export const createPageCache = (commits: () => number, mostCharacters = MOST_CHARACTERS): PageCache => {
  const pages = new Map<string, Reply>();
  const asked = new Set<string>();
  let characters = 0;
  let keptAt = commits();

  const clear = (): void => {
    pages.clear();
    asked.clear();
    characters = 0;
  };

  /** Drops what a write has made old. */
  const renew = (): number => {
    const now = commits();
    if (now !== keptAt) clear();
    keptAt = now;
    return now;
  };

  /** Most pages are asked for once: kept all the same, they would cost the collector more than they save. */
  const isAskedAgain = (name: string): boolean => {
    if (asked.has(name)) return true;
    if (asked.size >= MOST_ASKED) asked.clear();
    asked.add(name);
    return false;
  };

  return {
    find(name) {
      const now = renew();
      return { name, commits: now, kept: pages.get(name) };
    },

    keep({ name, commits: before }, made) {
      if (renew() !== before || name.length > LONGEST_NAME || !isAskedAgain(name)) return made;
      const { status, headers } = made;
      const text = made.text ?? JSON.stringify(made.body);
      const page = { status, headers, text };
      characters += name.length + text.length;
      if (characters > mostCharacters) clear();
      else pages.set(name, page);
      return page;
    },
  };
};
