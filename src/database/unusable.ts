/** The database or a backup of it cannot be used, for a reason that the operator has to hear. */
export class DatabaseUnusable extends Error {}

/** A service is about to start, and has to have the file for itself: the backup that was under way is none. */
export class GaveWay extends DatabaseUnusable {}
