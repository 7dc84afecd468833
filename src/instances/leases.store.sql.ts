import type { Sql } from '../database/sql.ts';
import type { LeaseStore } from './leases.store.ts';

export const leasesOnSql = (sql: Sql): LeaseStore => ({
  async take(name, holder, now, until) {
    const taken = await sql.one(
      `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $4)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE leases.holder = excluded.holder OR leases.until <= $3
       RETURNING name`,
      [name, holder, now, until],
    );
    return taken !== undefined;
  },

  async giveBack(holder) {
    await sql.run('DELETE FROM leases WHERE holder = $1', [holder]);
  },

  async forget(before) {
    await sql.run('DELETE FROM leases WHERE until < $1', [before]);
  },
});
