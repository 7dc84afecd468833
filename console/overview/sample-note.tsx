import { createValue, useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { ENVIRONMENT } from '../session/session.ts';
import { texts } from './texts.ts';

const isRead = createValue(false);

/** Explains where the sample data comes from, because visitors to a demo did not add it themselves. */
export const SampleNote = () => {
  const isHidden = useValue(isRead);
  if (ENVIRONMENT !== 'staging' || isHidden) return null;
  return (
    <div className="sample">
      <Callout
        title={texts.sample.title}
        action={
          <Button className="small" onClick={() => isRead.set(true)}>
            {texts.sample.dismiss}
          </Button>
        }
      >
        {texts.sample.text}
      </Callout>
    </div>
  );
};
