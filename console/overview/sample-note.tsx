import { useQuery } from '@tanstack/react-query';
import { createValue, useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { texts } from './texts.ts';

/** One of the sample pets. A store that was created without samples has no pet with this name. */
const SAMPLE_PET = 'Captain Biscuit';

const isRead = createValue(false);

/** Explains where the sample data comes from, because visitors to a demo did not add it themselves. */
export const SampleNote = () => {
  const { petstore, can } = useSession();
  const isHidden = useValue(isRead);
  const { data: hasSamples } = useQuery({
    queryKey: ['pets', 'sample'],
    queryFn: async ({ signal }) =>
      (await petstore.pets.list({ name: SAMPLE_PET, limit: 1 }, { signal }).page()).items.length > 0,
    enabled: ENVIRONMENT === 'staging' && can('pets:read'),
  });
  if (!hasSamples || isHidden) return null;
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
