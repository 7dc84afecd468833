import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useList } from '../data/list.ts';
import { useEvents } from '../data/live.ts';
import { usePoll } from '../data/poll.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Panel } from '../kit/panel.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { AuditTrail } from './audit-trail.tsx';
import { DeprecatedCalls } from './deprecated-calls.tsx';
import { IssueKey } from './issue-key.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeysTable } from './keys-table.tsx';
import { OwnKey } from './own-key.tsx';
import { texts } from './texts.ts';

/** Using a key does not create an event, so the list is also refreshed at intervals. */
const useKeyList = () => {
  const { petstore } = useSession();
  const keys = useList(['keys', 'all'], (query) => petstore.keys.list({ ...query, order: 'desc' }));
  usePoll(() => {
    if (keys.pages <= 1) void keys.retry();
  });
  useEvents(
    ['key.created', 'key.updated', 'key.rotated', 'key.revoked', 'key.banned', 'key.unbanned'],
    () => void keys.retry(),
  );
  return keys;
};

const AllKeys = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [isIssuing, setIssuing] = useState(search.get('do') === 'create');
  const keys = useKeyList();
  useCommands([{ label: texts.create, keys: 'n', run: () => setIssuing(true) }]);
  const endIssuing = () => {
    setIssuing(false);
    if (search.has('do')) setSearch({});
  };
  const opened = search.get('key') ?? undefined;
  return (
    <>
      <PageHead
        title={titles.keys}
        note={
          <>
            <span className="about">{texts.note} · </span>
            <Updated at={keys.updatedAt} />
          </>
        }
      >
        <Button kind="primary" icon={Plus} onClick={() => setIssuing(true)}>
          {texts.create}
        </Button>
      </PageHead>
      <KeysTable keys={keys} opened={opened} />
      {can('ops:read') && (
        <div className="cards trails">
          <Panel title={texts.auditTrail}>
            <AuditTrail />
          </Panel>
          <Panel title={texts.deprecatedCalls}>
            <DeprecatedCalls />
          </Panel>
        </div>
      )}
      {isIssuing && <IssueKey onClose={endIssuing} />}
      {opened && <KeyDrawer key={opened} id={opened} onClose={() => setSearch({})} />}
    </>
  );
};

export const Page = () => {
  const { can } = useSession();
  if (can('keys:write')) return <AllKeys />;
  return (
    <>
      <PageHead title={titles.keys} note={texts.own.note} />
      <Callout title={texts.own.onlyOwn}>{texts.own.onlyOwnText}</Callout>
      <OwnKey />
    </>
  );
};
