/** Categories of every new store, with ids 1 to 6. */
export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;

/** A store that is being reset, with the key and request that started the reset. */
export type Reset = { storeId: bigint; keyId: string | null; requestId: string | null };
