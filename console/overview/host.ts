/** These fields are undefined on PostgreSQL. `backupAgeSeconds` is also undefined before the first backup. */
export type Host = {
  freeBytes: number | undefined;
  neededBytes: number | undefined;
  backupAgeSeconds: number | undefined;
};

/** Space for new data in addition to a backup, as in the alert `PetstoreDiskFilling`. */
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
