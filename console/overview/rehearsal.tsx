import { curlLine } from '../kit/api-call.tsx';
import { Code } from '../kit/code.tsx';
import { Panel } from '../kit/panel.tsx';
import { useNow } from '../kit/time.tsx';
import { ENVIRONMENT, ROOT_URL, useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';
import { useDeprecations } from './watched.ts';

const showDay = (instant: string): string =>
  new Date(instant).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Unless `PETSTORE_REHEARSE_DATE` is set, the overview shows only operations that will be removed within this time. */
const SOON_MS = 90 * 86_400_000;

export const Rehearsal = () => {
  const { can } = useSession();
  const now = useNow(3_600_000);
  const { data: all = [] } = useDeprecations();
  const data = all.filter(({ sunset, rehearsedDate }) => rehearsedDate !== null || Date.parse(sunset) - now < SOON_MS);
  if (ENVIRONMENT !== 'staging' || !can('ops:read') || data.length === 0) return null;
  return (
    <Panel title={texts.rehearsal.title}>
      {data.map(({ operation, sunset, rehearsedDate }) => (
        <p key={operation}>
          {texts.rehearsal.removedOn(<code>{operation}</code>, showDay(sunset))}{' '}
          {rehearsedDate === null
            ? texts.rehearsal.today
            : rehearsedDate >= sunset
              ? texts.rehearsal.after(showDay(rehearsedDate))
              : texts.rehearsal.before(showDay(rehearsedDate))}
        </p>
      ))}
      <p className="soft">
        {texts.rehearsal.setBy(<code>PETSTORE_REHEARSE_DATE</code>)}{' '}
        <a href={`${ROOT_URL}/docs#guide-staging`}>{texts.rehearsal.about}</a>
      </p>
      <Code text={curlLine('GET', '/pets/1')} what={common.copied.curl} />
    </Panel>
  );
};
