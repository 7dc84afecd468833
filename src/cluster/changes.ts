/** What has happened in the deployment, on whichever instance. */
export type Changes = {
  /** The clock of the database. */
  now: number;
  /** Where the next poll goes on. What was told once may be told again. */
  mark: string;
  /** Keys that were changed, banned or revoked. */
  keyIds: readonly string[];
  /** Stores with new events. */
  storeIds: readonly bigint[];
  /** How many instances serve, this one among them. */
  instances: number;
};
