/** The categories of one store. */
export type CategoryStore = {
  /** Makes sure that the category exists: one that nobody has described yet is recorded without a name. */
  record(id: bigint): Promise<void>;
};
