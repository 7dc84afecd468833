import type { ReactNode } from 'react';
import { showCount } from '../kit/text.ts';
import { Countdown } from '../kit/time.tsx';
import { texts } from './texts.ts';

type Props = { label: string; used: number; limit: number | null; resetAt?: string | number | null; note?: ReactNode };

export const toneOf = (used: number, limit: number): '' | 'warn' | 'bad' => {
  const share = limit > 0 ? used / limit : 0;
  return share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : '';
};

export const Gauge = ({ label, used, limit, resetAt, note }: Props) => (
  <div className="gauge">
    <span>{label}</span>
    <span className="number">
      <b>{showCount(used)}</b>
      {limit !== null && texts.usage.of(limit)}
    </span>
    {limit !== null && <meter min={0} max={limit} value={used} className={toneOf(used, limit)} aria-label={label} />}
    <span className="small">{resetAt && used > 0 ? texts.usage.resetsIn(<Countdown until={resetAt} />) : note}</span>
  </div>
);
