import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** The shape distinguishes badges for users who cannot tell their colours apart. */
export const Badge = ({ tone = 'plain', shape, children }: { tone?: Tone; shape?: string; children: ReactNode }) => (
  <span className={`badge ${tone}`}>
    {shape && <span aria-hidden="true">{shape} </span>}
    {children}
  </span>
);

const STATUSES: Record<string, { tone: Tone; shape: string }> = {
  available: { tone: 'good', shape: '●' },
  pending: { tone: 'warn', shape: '◐' },
  sold: { tone: 'plain', shape: '■' },
  placed: { tone: 'warn', shape: '◐' },
  approved: { tone: 'good', shape: '●' },
  delivered: { tone: 'plain', shape: '■' },
  cancelled: { tone: 'bad', shape: '✕' },
  expired: { tone: 'bad', shape: '◌' },
};

export const StatusBadge = ({ status }: { status: string }) => <Badge {...STATUSES[status]}>{status}</Badge>;
