import { PetstoreError } from '../../client/src/index.ts';
import { Button } from './button.tsx';
import { CopyButton } from './code.tsx';

/** An error in the service's words, with the request id to find it in the log. */
export const ErrorNote = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <div className="error-note" role="alert">
    <p>{error.message}</p>
    {error instanceof PetstoreError && error.requestId && (
      <p className="soft">
        Request <code>{error.requestId}</code> <CopyButton text={error.requestId} what="the request id" />
      </p>
    )}
    {onRetry && <Button onClick={onRetry}>Try again</Button>}
  </div>
);
