import type { MouseEvent } from 'react';

type Tap = { timeStamp: number; clientX: number; clientY: number };

const NEAR_PX = 24;
const SOON_MS = 500;

/** The last two clicks anywhere on the page. */
let [before, last]: (Tap | undefined)[] = [];

export const noteClick = ({ timeStamp, clientX, clientY }: Tap): void => {
  [before, last] = [last, { timeStamp, clientX, clientY }];
};

const isSecondTap = (): boolean =>
  before !== undefined &&
  last !== undefined &&
  last.timeStamp - before.timeStamp < SOON_MS &&
  Math.abs(last.clientX - before.clientX) < NEAR_PX &&
  Math.abs(last.clientY - before.clientY) < NEAR_PX;

/**
 * Ignores the second click of a double click, because the first click may have put a different button in the same
 * place, such as one for the next order. Clicks made with the keyboard have a `detail` of 0 and are never ignored.
 */
export const onOneTap =
  (act: () => void) =>
  ({ detail }: Pick<MouseEvent, 'detail'>): void => {
    if (detail === 0 || !isSecondTap()) act();
  };
