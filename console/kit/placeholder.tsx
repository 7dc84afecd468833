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

type Props = { title: string; children: ReactNode; action?: ReactNode; curl?: string };

export const EmptyState = ({ title, children, action, curl }: Props) => (
  <section className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
    {curl && <Code text={curl} what={common.copied.command} />}
  </section>
);
