import { PetstoreError } from '../../client/src/index.ts';
import { Button } from './button.tsx';
import { CopyButton } from './code.tsx';

/** A failure in the service's own words, with the id by which the operator finds it in the log. */
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
