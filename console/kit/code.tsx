import { useState } from 'react';
import { Button } from './button.tsx';

/** Where a page is not served over https a browser offers the old way alone. Tells whether it was let. */
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

/** `what` completes "Copy …" for screen readers. */
export const CopyButton = ({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) => {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    setSaid((await copyText(text)) ? '✓ Copied' : '✕ Refused: select it and copy');
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  // What is seen is part of what is said.
  const name = label === 'Copy' ? `Copy ${what}` : `${label}: copy ${what}`;
  return (
    <Button kind="quiet" className="small" onClick={copy} aria-label={said ?? name}>
      {said ?? label}
    </Button>
  );
};

/** A text to be copied. */
export const Code = ({ text, what }: { text: string; what: string }) => (
  <div className="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
