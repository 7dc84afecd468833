import type { Changes } from './changes.ts';

export type ChangesRepository = {
  /** All that was committed since the mark; without one, nothing but a mark to begin with. */
  since(mark: string | undefined): Promise<Changes>;
};
