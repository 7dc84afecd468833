import { liveState } from '../data/live.ts';
import { useValue } from '../data/value.ts';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import type { Feed } from './feed.ts';

type Props = { feed: Feed; onShow: () => void };

/** Shows the stream state and the number of held events, with buttons to pause and resume. */
export const FeedBar = ({ feed: { isPaused, waiting, pause, retry }, onShow }: Props) => {
  const isLive = useValue(liveState) !== 'off';
  return (
    <div className="row feed-bar">
      {!isLive && (
        <>
          <Badge tone="warn" shape="◌">
            not live
          </Badge>
          <Button onClick={() => retry()}>Look again</Button>
        </>
      )}
      {isLive && (
        <>
          <Badge tone={isPaused ? 'warn' : 'good'} shape={isPaused ? '◐' : '●'}>
            {isPaused ? 'paused' : 'live'}
          </Badge>
          <Button onClick={isPaused ? onShow : pause}>{isPaused ? 'Go on' : 'Pause'}</Button>
        </>
      )}
      <span role="status">
        {waiting > 0 && `${waiting.toLocaleString('en')} new ${waiting === 1 ? 'event waits' : 'events wait'}`}
      </span>
      {waiting > 0 && <Button onClick={onShow}>Show</Button>}
    </div>
  );
};
