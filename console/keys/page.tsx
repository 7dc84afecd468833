import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../kit/button.tsx';
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

const AllKeys = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [isIssuing, setIssuing] = useState(false);
  useCommands([{ label: texts.create, keys: 'n', run: () => setIssuing(true) }]);
  const opened = search.get('key');
  return (
    <>
      <div className="page-head">
        <h1>{titles.keys}</h1>
        <Button kind="primary" onClick={() => setIssuing(true)}>
          {texts.create}
        </Button>
      </div>
      <KeysTable onOpen={(id) => setSearch({ key: id })} />
      {can('ops:read') && (
        <div className="cards trails">
          <section className="card">
            <h2>{texts.deprecatedCalls}</h2>
            <DeprecatedCalls />
          </section>
          <section className="card">
            <h2>{texts.auditTrail}</h2>
            <AuditTrail />
          </section>
        </div>
      )}
      {isIssuing && <IssueKey onClose={() => setIssuing(false)} />}
      {opened && <KeyDrawer key={opened} id={opened} onClose={() => setSearch({})} />}
    </>
  );
};

export const Page = () => {
  const { can } = useSession();
  if (can('keys:write')) return <AllKeys />;
  return (
    <>
      <div className="page-head">
        <h1>{titles.keys}</h1>
      </div>
      <OwnKey />
    </>
  );
};
