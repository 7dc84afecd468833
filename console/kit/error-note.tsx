import { CircleAlert } from 'lucide-react';
import { PetstoreError } from '../../client/src/index.ts';
import { messageOf } from '../data/error-message.ts';
import { common, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './code.tsx';

type Props = { error: Error; onRetry?: () => void; isRead?: boolean };

/** Callers set `onRetry` for reads, because a read can be repeated without harm. `isRead` is then true by default. */
export const ErrorNote = ({ error, onRetry, isRead = onRetry !== undefined }: Props) => (
  <div className="error-note" role="alert">
    <CircleAlert className="icon" />
    <div className="grow">
      <p>{messageOf(error, isRead)}</p>
      {error instanceof PetstoreError && error.requestId && (
        <p className="soft">
          {texts.kit.requestId(<code>{error.requestId}</code>)}{' '}
          <CopyButton text={error.requestId} what={common.copied.requestId} />
        </p>
      )}
    </div>
    {onRetry && (
      <Button className="small" onClick={onRetry}>
        {texts.kit.tryAgain}
      </Button>
    )}
  </div>
);
