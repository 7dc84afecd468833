import { CircleAlert } from 'lucide-react';
import { PetstoreError } from '../../client/src/index.ts';
import { common, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './code.tsx';

export const ErrorNote = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <div className="error-note" role="alert">
    <CircleAlert className="icon" />
    <div className="grow">
      <p>{error.message}</p>
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
