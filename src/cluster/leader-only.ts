import type { LeaseRepository } from './leases.repository.ts';

type Work = { name: string; run(): Promise<void> };

type Deps = {
  holder: string;
  now(): number;
  write(body: (repositories: { leases: LeaseRepository }) => Promise<boolean>): Promise<boolean>;
};

/** An instance that is gone is replaced after this time. Work that takes longer may meet its successor: it has to bear that. */
export const LEASE_MS = 3000;

/** Runs work on one instance at a time: on the one that holds its lease. */
export const createLeaderOnly =
  ({ holder, now, write }: Deps) =>
  <W extends Work>(work: W): W => ({
    ...work,
    async run() {
      const isOurs = await write(({ leases }) => leases.acquire(work.name, holder, now(), now() + LEASE_MS));
      if (isOurs) await work.run();
    },
  });
