import { curlLine } from '../kit/api-call.tsx';
import { Code } from '../kit/code.tsx';
import { ENVIRONMENT, ROOT_URL, useSession } from '../session/session.ts';
import { useDeprecations } from './watched.ts';

const showDay = (instant: string): string =>
  new Date(instant).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Staging only: the removals rehearsed here, and how a program detects them. */
export const Rehearsal = () => {
  const { can } = useSession();
  const { data = [] } = useDeprecations();
  if (ENVIRONMENT !== 'staging' || !can('ops:read') || data.length === 0) return null;
  return (
    <section className="card" aria-label="Removals, rehearsed">
      <h2>Removals, rehearsed</h2>
      {data.map(({ operation, sunset, rehearsedDate }) => (
        <p key={operation}>
          <code>{operation}</code> is removed on {showDay(sunset)}.{' '}
          {rehearsedDate === null
            ? 'Here it still answers: no other date is rehearsed.'
            : rehearsedDate >= sunset
              ? `This staging service acts as on ${showDay(rehearsedDate)}: it answers 410 already, and a program that still calls it fails here first.`
              : `This staging service acts as on ${showDay(rehearsedDate)}: it still answers.`}
        </p>
      ))}
      <p className="soft">
        The operator sets the date with <code>PETSTORE_REHEARSE_DATE</code>.{' '}
        <a href={`${ROOT_URL}/docs#guide-staging`}>About staging</a>
      </p>
      <Code text={curlLine('GET', '/pets/1')} what="the call that is removed" />
    </section>
  );
};
