/** For a database that is well, however long a starved machine takes for an answer. */
export const PATIENT_MS = 600_000;

/** A test asks what is answered; a proof whose database goes away asks for it within the time that users get. */
const isTest = process.env.PROVE_REPORT === undefined;
export const DATABASE_TIMEOUT_MS = isTest ? PATIENT_MS : 5000;
/** How long a connection may say nothing: in a test for ever, in a proof as long as users may. */
export const IDLE_SECONDS = isTest ? 0 : undefined;
