import { useQuery } from '@tanstack/react-query';
import type { Key, UsageWindow } from '../../client/src/index.ts';
import { useSession } from '../session/session.ts';
import { texts } from './texts.ts';

/** Milliseconds between refreshes. Each refresh costs one request per visible row. */
const REFRESH_MS = 60_000;

const Bar = ({ what, used, limit }: UsageWindow & { what: string }) => {
  const words = texts.usage.window(used, limit, what);
  return <meter min={0} max={limit} value={used} aria-label={words} title={words} />;
};

export const WindowBars = ({ of: { id, limits, revokedAt } }: { of: Key }) => {
  const { petstore, can } = useSession();
  const { data } = useQuery({
    queryKey: ['usage', 'bars', id],
    queryFn: () => petstore.keys.usage(id),
    enabled: can('ops:read') && revokedAt === null,
    staleTime: REFRESH_MS,
  });
  if (!data) return texts.usage.limits(limits.perMinute, limits.perDay);
  return (
    <div className="windows">
      <Bar what="minute" {...data.minute} />
      <Bar what="day" {...data.day} />
    </div>
  );
};
