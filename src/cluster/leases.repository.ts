/** Who does what is to be done once, among all instances of the deployment. */
export type LeaseRepository = {
  /** Takes or keeps a piece of work until then, unless another instance holds it. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  /** Leaves all that this instance holds to the others. */
  release(holder: string): Promise<void>;
  /** Removes what ended before then: an instance that was killed gave nothing back. */
  forget(before: number): Promise<void>;
};
