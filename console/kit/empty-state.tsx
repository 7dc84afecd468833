import type { ReactNode } from 'react';
import { Code } from './code.tsx';

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
