import { texts } from '../texts.ts';
import { showDuration, useNow } from './time.tsx';

const JUST_NOW_MS = 2000;

/** `at` is a query's `dataUpdatedAt`, which is 0 before the first response. */
export const Updated = ({ at }: { at: number }) => {
  const now = useNow(1000);
  if (at === 0) return null;
  const age = now - at;
  return (
    <span className="updated">{age < JUST_NOW_MS ? texts.kit.updatedNow : texts.kit.updated(showDuration(age))}</span>
  );
};
