import { Panel } from '../kit/panel.tsx';
import { capitalized } from '../kit/text.ts';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { Permissions } from './key-drawer.tsx';
import { RequestLog } from './request-log.tsx';
import { texts } from './texts.ts';
import { UsageView } from './usage-view.tsx';

export const OwnKey = () => {
  const { petstore, me } = useSession();
  return (
    <div className="cards trails">
      <Panel title={me.name}>
        <div className="stack sections">
          <dl className="facts">
            <dt>{texts.fields.plan}</dt>
            <dd>{capitalized(me.plan)}</dd>
            <dt>{texts.fields.store}</dt>
            <dd>{String(me.storeId)}</dd>
            <dt>{texts.own.secret}</dt>
            <dd>
              <code>{`${me.prefix}…${me.last4}`}</code>
            </dd>
            <dt>{texts.own.createdLabel}</dt>
            <dd>
              <Time at={me.createdAt} />
            </dd>
            <dt>{texts.fields.expires}</dt>
            <dd>
              <Time at={me.expiresAt} />
            </dd>
          </dl>
          <Permissions of={me} />
        </div>
      </Panel>
      <Panel title={common.usage}>
        <div className="stack sections">
          <UsageView of="me" ask={() => petstore.usage.get()} />
          <RequestLog of="me" ask={() => petstore.usage.requests()} />
        </div>
      </Panel>
    </div>
  );
};
