import { type ReactNode, useState } from 'react';
import { texts } from '../../texts.ts';
import { Callout } from '../callout.tsx';
import { Code } from '../code.tsx';
import { useGuard } from './leave.ts';

type Props = { title: string; note: string; lost: string; secret: string | null; what: string; children?: ReactNode };

/** The secret cannot be shown again, so a user who has not copied it yet must confirm before closing the dialog. */
export const ShownOnce = ({ title, note, lost, secret, what, children }: Props) => {
  const [isCopied, setCopied] = useState(false);
  useGuard(secret === null || isCopied ? undefined : texts.kit.secretShown);
  return (
    <section className="secret" role="status" data-once>
      <Callout tone="warn" title={title}>
        {secret === null ? lost : note}
      </Callout>
      {secret !== null && (
        <>
          <Code text={secret} what={what} onCopied={() => setCopied(true)} />
          {children}
        </>
      )}
    </section>
  );
};
