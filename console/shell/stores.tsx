import { Check, Plus, Store as StoreIcon } from 'lucide-react';
import { liveState } from '../data/live.ts';
import { useIsLost } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { isolated } from '../kit/text.ts';
import { KeyForm } from '../session/key-form.tsx';
import { heldKeys } from '../session/keyring.ts';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { common, texts } from '../texts.ts';

type Props = { onOpenStore: () => void };

const useCanSwitch = (): boolean => {
  const { can } = useSession();
  return useValue(heldKeys).length > 1 || can('keys:write');
};

/** Lists the stores for which the user has entered a key. Each key works in only one store. */
export const StoreChoices = ({ onOpenStore }: Props) => {
  const { secret, switchTo } = useSession();
  const held = useValue(heldKeys);
  if (!useCanSwitch()) return null;
  return (
    <>
      {held.map((one) => (
        <Button
          key={one.secret}
          kind="quiet"
          icon={one.secret === secret ? Check : StoreIcon}
          aria-current={one.secret === secret || undefined}
          onClick={() => one.secret !== secret && switchTo(one.secret)}
        >
          <span className="cut">{texts.stores.choice(one.storeId, isolated(one.name))}</span>
        </Button>
      ))}
      <Button kind="quiet" icon={Plus} onClick={onOpenStore}>
        {texts.stores.open}
      </Button>
    </>
  );
};

export const CurrentStore = (props: Props) => {
  const { me } = useSession();
  const isLost = useIsLost();
  const isLive = useValue(liveState) === 'live';
  const store = (
    <span>
      <b>{common.storeTitle(me.storeId)}</b>
      <span className="soft">
        {ENVIRONMENT}
        {isLost ? (
          <span className="lost"> · {texts.shell.lost}</span>
        ) : (
          isLive && <span className="live"> · {texts.shell.live}</span>
        )}
      </span>
    </span>
  );
  if (!useCanSwitch()) return <div className="store">{store}</div>;
  return (
    <Menu className="store" label={store}>
      <StoreChoices {...props} />
    </Menu>
  );
};

export const OpenStore = ({ onClose }: { onClose: () => void }) => {
  const { switchTo } = useSession();
  return (
    <Dialog title={texts.stores.open} onClose={onClose}>
      <div className="stack">
        <p className="soft">{texts.stores.explain}</p>
        <KeyForm action={texts.stores.submit} onKey={switchTo} />
      </div>
    </Dialog>
  );
};
