import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '../../client/src/index.ts';
import { messageOf } from '../data/error-message.ts';
import { Badge } from '../kit/badge.tsx';
import { useSession } from '../session/session.ts';
import { briefWords, healthWords, outcomeOf } from './outcome.ts';
import { texts } from './texts.ts';
import { latestQuery } from './webhook-cache.ts';
import { reasonOf, stateOf } from './webhook-state.ts';

export const useLatest = (of: string) => useQuery(latestQuery(useSession().petstore, of));

export const StateBadge = ({ of }: { of: Webhook }) => {
  const { data = [] } = useLatest(of.id);
  const { word, tone, shape } = stateOf(of, data);
  return (
    <span title={reasonOf(of)}>
      <Badge tone={tone} shape={shape}>
        {word}
      </Badge>
    </span>
  );
};

export const Health = ({ of, isBrief = false }: { of: string; isBrief?: boolean }) => {
  const { data, error } = useLatest(of);
  if (error) return <span className="soft">{texts.health.unavailable(messageOf(error, true))}</span>;
  if (!data) return <span className="ticks skeleton-row" aria-busy="true" />;
  const words = healthWords(data);
  return (
    <span className="row latest" role="img" aria-label={words} title={words}>
      {data.length > 0 && (
        <span className="ticks">
          {data.map((delivery) => (
            <span key={delivery.id} className={`tick ${outcomeOf(delivery)}`} />
          ))}
        </span>
      )}
      <span className="soft number">{isBrief ? briefWords(data) : words}</span>
    </span>
  );
};
