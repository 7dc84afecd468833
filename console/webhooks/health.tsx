import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../../client/src/index.ts';
import { messageOf } from '../data/error-message.ts';
import { Badge } from '../kit/badge.tsx';
import { useSession } from '../session/session.ts';
import { healthWords, isFailing, outcomeOf } from './outcome.ts';
import { texts } from './texts.ts';
import { reasonOf, stateOf } from './webhook-state.ts';

const TICKS = 50;
const REFRESH_MS = 60_000;

const useLatest = (of: string) => {
  const { petstore } = useSession();
  return useQuery({
    queryKey: ['webhooks', 'health', of],
    queryFn: async () => (await petstore.webhooks.deliveries(of, { order: 'desc', limit: TICKS }).page()).items,
    refetchInterval: REFRESH_MS,
  });
};

export const StateBadge = ({ of }: { of: Webhook }) => {
  const { data = [] } = useLatest(of.id);
  const { word, tone, shape } = stateOf(of, isFailing(data));
  return (
    <span title={reasonOf(of)}>
      <Badge tone={tone} shape={shape}>
        {word}
      </Badge>
    </span>
  );
};

export const Health = ({ of }: { of: string }) => {
  const { data, error } = useLatest(of);
  if (error) return <span className="soft">{texts.health.unavailable(messageOf(error, true))}</span>;
  if (!data) return <span className="ticks skeleton-row" aria-busy="true" />;
  const words = healthWords(data);
  return (
    <span className="ticks" role="img" aria-label={words} title={words}>
      {data.length === 0 && <span className="soft">{words}</span>}
      {data.toReversed().map((delivery) => (
        <span key={delivery.id} className={`tick ${outcomeOf(delivery)}`} />
      ))}
    </span>
  );
};
