import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../data/error-message.ts';
import { useSession } from '../session/session.ts';
import { healthWords, outcomeOf } from './outcome.ts';
import { texts } from './texts.ts';

const TICKS = 50;
const REFRESH_MS = 60_000;

export const Health = ({ of }: { of: string }) => {
  const { petstore } = useSession();
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'health', of],
    queryFn: async () => (await petstore.webhooks.deliveries(of, { order: 'desc', limit: TICKS }).page()).items,
    refetchInterval: REFRESH_MS,
  });
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
