import { useQuery } from '@tanstack/react-query';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';

const DAY_MS = 86_400_000;

/** Deprecated operations that one key or all keys still call, and the days until their removal. */
export const DeprecatedCalls = ({ of }: { of?: string }) => {
  const { petstore } = useSession();
  const now = useNow(DAY_MS);
  const { data = [] } = useQuery({ queryKey: ['deprecations'], queryFn: () => petstore.deprecations.list() });
  const calls = data.flatMap(({ operation, sunset, keys }) =>
    keys.filter(({ keyId }) => of === undefined || keyId === of).map((call) => ({ ...call, operation, sunset })),
  );
  if (calls.length === 0) return <p className="soft">No operation is called that will be removed.</p>;
  return (
    <ul className="items">
      {calls.map(({ operation, sunset, keyId, calls, lastCalledAt }) => (
        <li key={operation + keyId}>
          <code>{operation}</code> {calls === 1 ? 'once' : `${calls.toLocaleString('en')} times`}
          {of === undefined && ` by ${keyId}`}, last <Time at={lastCalledAt} />;{' '}
          {Math.ceil((Date.parse(sunset) - now) / DAY_MS).toLocaleString('en')} days are left
        </li>
      ))}
    </ul>
  );
};
