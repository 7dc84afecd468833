type Deps = {
  /** Numbers all that is committed in the store. */
  number(storeId: bigint): Promise<void>;
  numbered(storeId: bigint): void;
  failed(error: unknown): void;
};

/** Numbers the events of a store after its commits: many commits that come together are one numbering. */
export const createNumberer = ({ number, numbered, failed }: Deps) => {
  /** The stores that are being numbered, and whether something was committed meanwhile. */
  const running = new Map<bigint, { again: boolean }>();

  const run = async (storeId: bigint): Promise<void> => {
    const state = { again: true };
    running.set(storeId, state);
    while (state.again) {
      state.again = false;
      try {
        await number(storeId);
        numbered(storeId);
      } catch (error) {
        failed(error);
      }
    }
    running.delete(storeId);
  };

  return (storeId: bigint): void => {
    const state = running.get(storeId);
    if (state) state.again = true;
    else void run(storeId);
  };
};
