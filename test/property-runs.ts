const CASES = Math.max(1_500, Number(process.env.PETSTORE_CASES || 0));

export const runs = (share: number) => ({ numRuns: Math.ceil(CASES * share) });

export const PROPERTY_TIMEOUT_MS = 3_600_000;
