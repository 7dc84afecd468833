import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text. `what` completes "Copy …" for those who cannot see what it stands beside. */
export const CopyButton = ({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  // What is seen is part of what is said.
  const name = label === 'Copy' ? `Copy ${what}` : `${label}: copy ${what}`;
  return (
    <Button kind="quiet" className="small" onClick={copy} aria-label={isCopied ? '✓ Copied' : name}>
      {isCopied ? '✓ Copied' : label}
    </Button>
  );
};
