import type { ReactNode } from 'react';
import { Code } from './code.tsx';

/** The shape of what comes. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
      <div key={index} />
    ))}
  </div>
);

type Props = { title: string; children: ReactNode; action?: ReactNode; curl?: string };

/** What stands where nothing is yet: what this is, one thing to do, and the same as a line for the terminal. */
export const EmptyState = ({ title, children, action, curl }: Props) => (
  <section className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
    {curl && <Code text={curl} what="the command" />}
  </section>
);
