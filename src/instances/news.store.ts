import type { News } from './news.ts';

export type NewsStore = {
  /** All that was committed since the mark; without one, nothing but a mark to begin with. */
  since(mark: string | undefined): Promise<News>;
};
