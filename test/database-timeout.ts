/**
 * A test asks what is answered, however long a starved machine takes for it; a proof asks for it within the time that
 * users get.
 */
export const DATABASE_TIMEOUT_MS = process.env.PROVE_REPORT === undefined ? 120_000 : 5000;
