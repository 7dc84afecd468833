import type { LeaseRepository } from './cluster.repository.ts';

/** Duration of a lease, in ms. Work that takes longer must tolerate an overlap with the next leader's work. */
export const LEASE_MS = 3000;

type Work = { name: string; run(): Promise<void> };
type Deps = {
  holder: string;
  now(): number;
  write(body: (repositories: { leases: LeaseRepository }) => Promise<boolean>): Promise<boolean>;
};

export const createLeaderOnly =
  ({ holder, now, write }: Deps) =>
  <W extends Work>(work: W): W => ({
    ...work,
    async run() {
      const isOurs = await write(({ leases }) => leases.acquire(work.name, holder, now(), now() + LEASE_MS));
      if (isOurs) await work.run();
    },
  });
