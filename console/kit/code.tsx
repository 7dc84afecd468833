import { Copy } from 'lucide-react';
import { useState } from 'react';
import { common, texts } from '../texts.ts';
import { Button } from './button.tsx';

/** Returns false if the browser did not allow copying. Over plain http, browsers offer only `execCommand`. */
const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', put);
  return isCopied;
};

const SAID_MS = 2000;

type CopyProps = { text: string; what: string; label?: string; onCopied?: (() => void) | undefined };

export const CopyButton = ({ text, what, label = texts.kit.copy, onCopied }: CopyProps) => {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    const isCopied = await copyText(text);
    setSaid(isCopied ? texts.kit.copied : texts.kit.notCopied);
    if (isCopied) onCopied?.();
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  // The accessible name must contain the visible label (WCAG 2.5.3).
  const name = label === texts.kit.copy ? texts.kit.copyName(what) : texts.kit.copyLabelled(label, what);
  return (
    <Button kind="quiet" className="small" icon={Copy} onClick={copy} aria-label={said ?? name}>
      {said ?? label}
    </Button>
  );
};

/** `to` is relative to the current page, such as `?pet=17`. */
export const CopyLink = ({ to }: { to: string }) => (
  <CopyButton text={new URL(to, location.href).href} what={common.copied.link} label={texts.kit.copyLink} />
);

export const Code = ({ text, what, onCopied }: Omit<CopyProps, 'label'>) => (
  <div className="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} onCopied={onCopied} />
  </div>
);
