import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Key, UsageWindow } from '../../client/src/index.ts';
import { Badge } from '../kit/badge.tsx';
import { showCount } from '../kit/text.ts';
import { Countdown } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { isLimited } from './key-rules.ts';
import { stateOf } from './key-state.ts';
import { texts } from './texts.ts';

type GaugeProps = {
  label: string;
  used: number;
  limit: number | null;
  resetAt?: string | number | null;
  note?: ReactNode;
};

const toneOf = (used: number, limit: number): '' | 'warn' | 'bad' => {
  const share = limit > 0 ? used / limit : 0;
  return share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : '';
};

export const Gauge = ({ label, used, limit, resetAt, note }: GaugeProps) => (
  <div className="gauge">
    <span>{label}</span>
    <span className="number">
      <b>{showCount(used)}</b>
      {isLimited(limit) ? texts.usage.of(limit) : texts.usage.noLimit}
    </span>
    {isLimited(limit) && <meter min={0} max={limit} value={used} className={toneOf(used, limit)} aria-label={label} />}
    <span className="small">{resetAt && used > 0 ? texts.usage.resetsIn(<Countdown until={resetAt} />) : note}</span>
  </div>
);

/** A shorter interval would cost too many requests, because each refresh sends one request per visible row. */
const REFRESH_MS = 60_000;

const useWindows = ({ id, revokedAt }: Key) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['usage', 'bars', id],
    queryFn: () => petstore.keys.usage(id),
    enabled: can('ops:read') && revokedAt === null,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  }).data;
};

const showCompact = new Intl.NumberFormat('en', { notation: 'compact' });

const Bar = ({ what, used, limit }: UsageWindow & { what: keyof typeof texts.usage.windows }) => {
  const words = texts.usage.window(used, isLimited(limit) ? limit : undefined, what);
  return (
    <>
      <span aria-hidden="true">{texts.usage.windows[what]}</span>
      <meter min={0} max={limit} value={used} className={toneOf(used, limit)} aria-label={words} title={words} />
      <span className="number" aria-hidden="true">
        {showCompact.format(used)}
      </span>
    </>
  );
};

const shareOf = ({ used, limit }: UsageWindow): number => used / Math.max(1, limit);

/** If there is little room, shows only the window that is closer to its limit. */
export const WindowBars = ({ of, isFew }: { of: Key; isFew: boolean }) => {
  const windows = useWindows(of);
  if (of.revokedAt !== null) return <span className="soft">–</span>;
  if (!windows) return <span className="soft">{texts.usage.limits(of.limits.perMinute, of.limits.perDay)}</span>;
  const { minute, day } = windows;
  const isMinute = shareOf(minute) > shareOf(day);
  return (
    <div className={isFew ? 'windows few' : 'windows'}>
      {(!isFew || isMinute) && <Bar what="minute" {...minute} />}
      {(!isFew || !isMinute) && <Bar what="day" {...day} />}
    </div>
  );
};

export const StateBadge = ({ of, now }: { of: Key; now: number }) => {
  const { word, tone, shape } = stateOf(of, now, useWindows(of));
  return (
    <Badge tone={tone} shape={shape}>
      {word}
    </Badge>
  );
};
