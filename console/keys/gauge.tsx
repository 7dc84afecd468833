import { Countdown } from '../kit/time.tsx';
import { texts } from './texts.ts';

type Props = { label: string; used: number; limit: number; resetAt?: string | number | null };

export const Gauge = ({ label, used, limit, resetAt }: Props) => {
  const share = limit > 0 ? used / limit : 0;
  return (
    <div className="gauge">
      <span>{label}</span>
      <meter
        min={0}
        max={limit}
        value={used}
        className={share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : ''}
        aria-label={label}
      />
      <span className="number">
        {texts.usage.used(used, limit)}
        {resetAt && used > 0 && texts.usage.resetsIn(<Countdown until={resetAt} />)}
      </span>
    </div>
  );
};
