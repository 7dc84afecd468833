/** The database or a backup of it cannot be used, for a reason that the operator has to hear. */
export class DatabaseUnusable extends Error {}

/** A starting service needs the file for itself, or another backup reads it. The backup was not made; try again soon. */
export class BackupYielded extends DatabaseUnusable {}
