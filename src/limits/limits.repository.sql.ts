import type { Sql } from '../storage/sql.ts';
import type { LimitRepository } from './limits.repository.ts';
import type { Ban, Tally, WindowName } from './window.ts';

type WindowRow = { subject: string; name: WindowName | 'refusals'; used: bigint; until: bigint };
type BanRow = { subject: string; banned_at: bigint; until: bigint; forgotten_at: bigint };

const REMOVED_PER_STATEMENT = 1000;

const toBan = (row: BanRow): Ban => ({
  bannedAt: Number(row.banned_at),
  until: Number(row.until),
  forgottenAt: Number(row.forgotten_at),
});

export const sqlLimits = (sql: Sql): LimitRepository => ({
  async load(now) {
    const tallies = new Map<string, Tally>();
    const tally = (subject: string): Tally => tallies.getOrInsert(subject, { windows: {} });
    const windows = await sql.all<WindowRow>('SELECT subject, name, used, until FROM windows WHERE until > $1', [now]);
    for (const { subject, name, used, until } of windows) {
      const count = { used: Number(used), until: Number(until) };
      if (name === 'refusals') tally(subject).refusals = count;
      else tally(subject).windows[name] = count;
    }
    const bans = await sql.all<BanRow>(
      'SELECT subject, banned_at, until, forgotten_at FROM bans WHERE forgotten_at > $1 ORDER BY banned_at',
      [now],
    );
    for (const row of bans) tally(row.subject).ban = toBan(row);
    return tallies;
  },

  async findBan(subject, now) {
    const row = await sql.one<BanRow>(
      `SELECT subject, banned_at, until, forgotten_at FROM bans
       WHERE subject = $1 AND forgotten_at > $2 ORDER BY banned_at DESC LIMIT 1`,
      [subject, now],
    );
    return row && toBan(row);
  },

  async save(tallies) {
    // The rows are sorted, because concurrent transactions that lock the rows in different orders could deadlock.
    for (const [subject, { windows, refusals }] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const [name, count] of Object.entries({ ...windows, refusals }).sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (!count) continue;
        await sql.run(
          `INSERT INTO windows (subject, name, used, until) VALUES ($1, $2, $3, $4)
           ON CONFLICT (subject, name) DO UPDATE SET used = excluded.used, until = excluded.until`,
          [subject, name, count.used, count.until],
        );
      }
    }
  },

  async addBan(subject, { bannedAt, until, forgottenAt }) {
    const added = await sql.one(
      `INSERT INTO bans (subject, banned_at, until, forgotten_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING subject`,
      [subject, bannedAt, until, forgottenAt],
    );
    // The refusals that caused this ban must not count towards another ban.
    await sql.run(`DELETE FROM windows WHERE subject = $1 AND name = 'refusals'`, [subject]);
    await sql.noteKeyChange(subject);
    return added !== undefined;
  },

  async liftBan(subject, now) {
    await sql.run('UPDATE bans SET until = banned_at WHERE subject = $1 AND until > $2', [subject, now]);
  },

  async forget(now) {
    await sql.run(
      `DELETE FROM windows WHERE (subject, name) IN
         (SELECT subject, name FROM windows WHERE until <= $1 ORDER BY until LIMIT $2)`,
      [now, REMOVED_PER_STATEMENT],
    );
  },
});
