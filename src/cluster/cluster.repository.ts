import type { Changes, Question } from './changes.ts';

export type ClusterReads = { read(question: Question): Promise<Changes> };

export type ClusterRepository = ClusterReads & {
  /** Returns false if another instance is the leader. */
  lead(holder: string, now: number, until: number): Promise<boolean>;
  resign(holder: string): Promise<void>;
  /** Makes all instances read from the primary for this long. */
  suspendStandby(forMs: number): Promise<void>;
};
