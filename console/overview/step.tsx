import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

type Props = { title: string; isDone: boolean; children: ReactNode };

export const Step = ({ title, isDone, children }: Props) => (
  <li className={isDone ? 'done' : undefined}>
    <span className="mark" aria-hidden="true">
      {isDone && <Check className="icon s" />}
    </span>
    <div className="stack">
      <h3>
        {title}
        {isDone && <span className="unseen">, {texts.guide.done}</span>}
      </h3>
      {children}
    </div>
  </li>
);
