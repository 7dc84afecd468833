import { useQuery } from '@tanstack/react-query';
import { useActorName } from '../data/use-key-names.ts';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { texts } from './texts.ts';

const DAY_MS = 86_400_000;

export const DeprecatedCalls = ({ of }: { of?: string }) => {
  const { petstore } = useSession();
  const now = useNow(DAY_MS);
  const nameOf = useActorName();
  const { data = [] } = useQuery({ queryKey: ['deprecations'], queryFn: () => petstore.deprecations.list() });
  const calls = data.flatMap(({ operation, sunset, keys }) =>
    keys.filter(({ keyId }) => of === undefined || keyId === of).map((call) => ({ ...call, operation, sunset })),
  );
  if (calls.length === 0) return <p className="soft">{texts.deprecated.none}</p>;
  return (
    <ul className="items">
      {calls.map(({ operation, sunset, keyId, calls, lastCalledAt }) => (
        <li key={operation + keyId}>
          <code>{operation}</code>: {texts.deprecated.calls(calls)}
          {of === undefined && texts.deprecated.by(nameOf(keyId))}
          {texts.deprecated.last(calls, <Time at={lastCalledAt} />)}
          {texts.deprecated.removal(Math.ceil((Date.parse(sunset) - now) / DAY_MS))}
        </li>
      ))}
    </ul>
  );
};
