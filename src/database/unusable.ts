/** The database cannot be used, for a reason that the operator has to hear before anything is served. */
export class DatabaseUnusable extends Error {}
