type Deps = {
  /** Numbers all that is committed in the store. */
  assign(storeId: bigint): Promise<void>;
  assigned(storeId: bigint): void;
  failed(error: unknown): void;
};

/** Numbers the events of a store after its commits: many commits that come together are one sequencer. */
export const createSequencerRuns = ({ assign, assigned, failed }: Deps) => {
  /** The stores that are being assigned, and whether something was committed meanwhile. */
  const running = new Map<bigint, { again: boolean }>();

  const run = async (storeId: bigint): Promise<void> => {
    const state = { again: true };
    running.set(storeId, state);
    while (state.again) {
      state.again = false;
      try {
        await assign(storeId);
        assigned(storeId);
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
