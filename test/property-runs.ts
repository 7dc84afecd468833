/** How many cases all properties try together. The variable asks for more than a developer waits for, never for fewer. */
const CASES = Math.max(1_500, Number(process.env.PETSTORE_CASES || 0));

/** The part of all cases that one property tries. */
export const runs = (share: number) => ({ numRuns: Math.ceil(CASES * share) });

export const PROPERTY_TIMEOUT_MS = 3_600_000;
