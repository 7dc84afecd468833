import type { ReactNode } from 'react';
import { SHAPES, type Tone } from './badge.tsx';

const ICONS = { good: SHAPES.check, warn: SHAPES.warning, bad: SHAPES.alert, plain: SHAPES.alert };

type Props = { tone?: Tone; title: ReactNode; children?: ReactNode; action?: ReactNode };

export const Callout = ({ tone = 'plain', title, children, action }: Props) => {
  const Icon = ICONS[tone];
  return (
    <div className={`callout ${tone}`}>
      <Icon className="icon" />
      <div className="grow">
        <p className="heading">{title}</p>
        {children && <div className="text">{children}</div>}
      </div>
      {action}
    </div>
  );
};
