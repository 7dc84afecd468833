/** The categories that exist in every store from the start, under the ids 1 to 6. */
export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;

/** A store that is being reset, and on whose behalf. */
export type Reset = { storeId: bigint; keyId: string | null; requestId: string | null };
