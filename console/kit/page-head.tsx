import type { ReactNode } from 'react';

type Props = { title: string; note?: ReactNode; children?: ReactNode };

export const PageHead = ({ title, note, children }: Props) => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      {note && <p>{note}</p>}
    </div>
    {children}
  </header>
);
