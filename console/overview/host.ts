/** All fields are undefined on PostgreSQL. `backupAgeSeconds` is also undefined before the first backup. */
export type Host = {
  freeBytes: number | undefined;
  neededBytes: number | undefined;
  backupAgeSeconds: number | undefined;
};

/**
 * Free space that new data needs, in addition to the space for a backup. The alert `PetstoreDiskFilling` uses the same
 * value.
 */
const SPARE_BYTES = 1e8;

export const readHost = (metrics: string): Host => {
  const gauge = (name: string): number | undefined => {
    const [, value] = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics) ?? [];
    return value === undefined ? undefined : Number(value);
  };
  const file = gauge('petstore_database_file_bytes');
  return {
    freeBytes: gauge('petstore_disk_free_bytes'),
    neededBytes: file === undefined ? undefined : SPARE_BYTES + file + (gauge('petstore_database_wal_bytes') ?? 0),
    backupAgeSeconds: gauge('petstore_backup_age_seconds'),
  };
};
