import type { ReactNode } from 'react';

type Props = { title: string; count?: ReactNode; end?: ReactNode; isFlush?: boolean; children: ReactNode };

/** `isFlush` lets lists and tables reach the panel's border. */
export const Panel = ({ title, count, end, isFlush = false, children }: Props) => (
  <section className="panel" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {count}
      {end && <span className="push">{end}</span>}
    </header>
    {isFlush ? children : <div className="inside">{children}</div>}
  </section>
);
