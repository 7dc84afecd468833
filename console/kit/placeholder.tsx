import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { common, texts } from '../texts.ts';
import { Code } from './code.tsx';

export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label={texts.kit.loading}>
    {Array.from({ length: lines }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all items are alike.
      <div key={index} />
    ))}
  </div>
);

type Props = { title: string; icon?: LucideIcon; children: ReactNode; action?: ReactNode; curl?: string };

export const EmptyState = ({ title, icon: Icon = Inbox, children, action, curl }: Props) => (
  <section className="empty">
    <span className="tile">
      <Icon className="icon" />
    </span>
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
    {curl && <Code text={curl} what={common.copied.command} />}
  </section>
);
