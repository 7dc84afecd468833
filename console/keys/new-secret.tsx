import { Store } from 'lucide-react';
import type { KeyWithSecret } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Code } from '../kit/code.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { isolated } from '../kit/text.ts';
import { holdKey } from '../session/keyring.ts';
import { COLLEAGUE_SCOPES } from '../session/scopes.ts';
import { API_URL, BASE_PATH, useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { sameScopes } from './key-rules.ts';
import { texts } from './texts.ts';

const OpenItsStore = ({ issued, secret }: { issued: KeyWithSecret; secret: string }) => {
  const { me, switchTo } = useSession();
  if (issued.storeId === me.storeId) return null;
  const open = () => {
    holdKey(secret, issued);
    switchTo(secret);
  };
  return (
    <Button icon={Store} onClick={open}>
      {texts.secret.openStore(issued.storeId)}
    </Button>
  );
};

const isForColleague = ({ scopes }: KeyWithSecret): boolean => sameScopes(scopes, COLLEAGUE_SCOPES);

/** Every key may read itself, whatever its scopes. */
const allowedPath = ({ scopes }: KeyWithSecret): string => {
  if (scopes.includes('pets:read')) return '/pets?limit=5';
  return scopes.includes('orders:read') ? '/store/orders?limit=5' : '/keys/me';
};

const Shown = ({ issued }: { issued: KeyWithSecret }) => (
  <ShownOnce
    title={texts.secret.title(isolated(issued.name))}
    note={texts.secret.copyNow}
    lost={texts.secret.lost}
    secret={issued.key}
    what={common.copied.key}
  >
    <p>{isForColleague(issued) ? texts.secret.signIn(isolated(issued.name)) : texts.secret.signInToo}</p>
    <Code text={`${location.origin}${BASE_PATH}`} what={common.copied.address} />
    {!isForColleague(issued) && (
      <>
        <p>{texts.secret.firstCall}</p>
        <Code
          text={`curl '${API_URL}${allowedPath(issued)}' -H 'Authorization: Bearer ${issued.key}'`}
          what={common.copied.command}
        />
      </>
    )}
    {issued.key !== null && <OpenItsStore issued={issued} secret={issued.key} />}
  </ShownOnce>
);

type Props = { issued: KeyWithSecret; onClose: () => void };

export const NewSecret = ({ issued, onClose }: Props) => (
  <div className="stack">
    <Shown issued={issued} />
    <div className="row end">
      <Button kind="primary" onClick={() => leaveNow(onClose)}>
        {common.saved}
      </Button>
    </div>
  </div>
);
