import type { ReactNode } from 'react';

type Props = { title: string; note?: ReactNode; children?: ReactNode };

/** The title, a quiet line of facts, and the actions of a page with the primary one last. Filters come below. */
export const PageHead = ({ title, note, children }: Props) => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      {note && <p>{note}</p>}
    </div>
    {children}
  </header>
);
