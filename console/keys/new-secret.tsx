import { Store } from 'lucide-react';
import type { KeyWithSecret } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Code } from '../kit/code.tsx';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { isolated } from '../kit/text.ts';
import { holdKey } from '../session/keyring.ts';
import { API_URL, useSession } from '../session/session.ts';
import { common } from '../texts.ts';
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

export const NewSecret = ({ issued }: { issued: KeyWithSecret }) => (
  <ShownOnce
    title={texts.secret.title(isolated(issued.name))}
    note={texts.secret.copyNow}
    lost={texts.secret.lost}
    secret={issued.key}
    what={common.copied.key}
  >
    <p>{texts.secret.firstCall}</p>
    <Code
      text={`curl '${API_URL}/pets?limit=5' -H 'Authorization: Bearer ${issued.key}'`}
      what={common.copied.command}
    />
    {issued.key !== null && <OpenItsStore issued={issued} secret={issued.key} />}
  </ShownOnce>
);
