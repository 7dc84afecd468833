/** For a database that is well, however long a starved machine takes for an answer. */
export const PATIENT_MS = 120_000;

/** A test asks what is answered; a proof whose database goes away asks for it within the time that users get. */
export const DATABASE_TIMEOUT_MS = process.env.PROVE_REPORT === undefined ? PATIENT_MS : 5000;
