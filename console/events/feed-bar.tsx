import { Pause, Play } from 'lucide-react';
import { liveState } from '../data/live.ts';
import { useValue } from '../data/value.ts';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { common } from '../texts.ts';
import type { Feed } from './feed.ts';
import { texts } from './texts.ts';

type Props = { feed: Feed; onShow: () => void };

export const FeedBar = ({ feed: { isPaused, waiting, pause, retry }, onShow }: Props) => {
  const isLive = useValue(liveState) !== 'off';
  return (
    <div className="row feed-bar">
      <span role="status">{waiting > 0 && texts.feed.waiting(waiting)}</span>
      {waiting > 0 && <Button onClick={onShow}>{common.show}</Button>}
      {!isLive && (
        <>
          <Badge tone="warn" shape="dashed">
            {texts.feed.disconnected}
          </Badge>
          <Button onClick={() => retry()}>{common.refresh}</Button>
        </>
      )}
      {isLive && (
        <>
          <Badge tone={isPaused ? 'warn' : 'good'} shape={isPaused ? 'clock' : 'check'}>
            {isPaused ? texts.feed.paused : texts.feed.live}
          </Badge>
          <Button icon={isPaused ? Play : Pause} onClick={isPaused ? onShow : pause}>
            {isPaused ? common.resume : texts.feed.pause}
          </Button>
        </>
      )}
    </div>
  );
};
