export const PATIENT_MS = 600_000;

/**
 * Tests check only results, so their timeouts are long. The proofs in `prove/` use realistic timeouts, because they
 * also check how long callers wait for a database that does not answer.
 */
const isTest = process.env.PROVE_REPORT === undefined;
export const DATABASE_TIMEOUT_MS = isTest ? PATIENT_MS : 5000;
/** Idle timeout for a connection. 0 means no timeout, and `undefined` means the service's default. */
export const IDLE_SECONDS = isTest ? 0 : undefined;

export const TEST_TIMEOUT_MS = 60 * 60_000;
