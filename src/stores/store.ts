/** The categories that exist in every store from the start, under the ids 1 to 6. */
export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;
