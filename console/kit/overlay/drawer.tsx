import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { texts } from '../../texts.ts';
import { Button } from '../button.tsx';
import { leave, ScopeContext } from './leave.ts';

export const DRAWER_PLACE = 'drawer';

type Props = {
  title: ReactNode;
  actions?: ReactNode;
  /** The footer stays visible below the content while the content scrolls. */
  footer?: ReactNode;
  onClose: () => void;
  isBig?: boolean;
  children: ReactNode;
};

/** The list next to the drawer can still be used. On a phone, the drawer fills the screen. */
export const Drawer = ({ title, actions, footer, onClose, isBig = false, children }: Props) => {
  const panel = useRef<HTMLElement>(null);
  const id = useId();
  const close = () => leave(onClose, id);
  useLayoutEffect(() => {
    const [shown, before] = [panel.current, document.activeElement];
    shown?.focus({ preventScroll: true });
    return () => {
      const isHere = document.activeElement === document.body || shown?.contains(document.activeElement);
      if (isHere && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    close();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onEscape(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const place = document.getElementById(DRAWER_PLACE);
  if (!place) return null;
  return createPortal(
    <aside ref={panel} role="dialog" className={isBig ? 'drawer big' : 'drawer'} aria-labelledby={id} tabIndex={-1}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
        <Button kind="quiet" icon={X} onClick={close} aria-label={texts.kit.close} />
      </header>
      <ScopeContext value={id}>
        <div className="inside">{children}</div>
        {footer && <footer>{footer}</footer>}
      </ScopeContext>
    </aside>,
    place,
  );
};
