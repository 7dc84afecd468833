import {
  Ban,
  Check,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Clock4,
  type LucideIcon,
  TriangleAlert,
  Truck,
} from 'lucide-react';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** The shape of the icon helps users who cannot tell the badges' colours apart. */
export const SHAPES = {
  alert: CircleAlert,
  ban: Ban,
  check: CircleCheck,
  clock: Clock4,
  cross: CircleX,
  dashed: CircleDashed,
  expired: Clock,
  tick: Check,
  truck: Truck,
  warning: TriangleAlert,
} satisfies Record<string, LucideIcon>;

export type Shape = keyof typeof SHAPES;

type Props = { tone?: Tone; shape?: Shape; children: ReactNode };

export const Badge = ({ tone = 'plain', shape, children }: Props) => {
  const Icon = shape && SHAPES[shape];
  return (
    <span className={`badge ${tone}${Icon ? '' : ' plain-text'}`}>
      {Icon && <Icon className="icon" />}
      <span>{children}</span>
    </span>
  );
};

const STATUSES: Record<string, { tone: Tone; shape: Shape }> = {
  available: { tone: 'good', shape: 'check' },
  pending: { tone: 'warn', shape: 'clock' },
  sold: { tone: 'plain', shape: 'tick' },
  placed: { tone: 'warn', shape: 'clock' },
  approved: { tone: 'good', shape: 'check' },
  delivered: { tone: 'plain', shape: 'truck' },
  cancelled: { tone: 'plain', shape: 'cross' },
  expired: { tone: 'plain', shape: 'expired' },
};

export const StatusBadge = ({ status }: { status: string }) => <Badge {...STATUSES[status]}>{status}</Badge>;
