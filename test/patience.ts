/** Timeout, in ms, for a database that works, however slow an overloaded machine is. */
export const PATIENT_MS = 600_000;

/** Tests check only results, so they wait long. Proofs also check how long users wait for a silent database. */
const isTest = process.env.PROVE_REPORT === undefined;
export const DATABASE_TIMEOUT_MS = isTest ? PATIENT_MS : 5000;
/** Maximum time without data on a connection. Tests have no limit (0), and proofs use the service's default. */
export const IDLE_SECONDS = isTest ? 0 : undefined;

/**
 * Timeout of a test, in ms: long enough for an overloaded machine. No test checks its own duration. Waits inside a test
 * fail sooner, with a reason.
 */
export const TEST_TIMEOUT_MS = 60 * 60_000;
