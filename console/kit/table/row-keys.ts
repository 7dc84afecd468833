import { type KeyboardEvent, useRef } from 'react';
import { useCommands } from '../../shell/commands.ts';
import { texts } from '../../texts.ts';

type Keys = {
  count: number;
  scrollTo: (index: number) => void;
  onOpen: (index: number) => void;
  onSelect: (index: number) => void;
};

/** Passes on the modifier keys, so that Ctrl+Enter opens the row in a new tab. */
const follow = (row: HTMLElement, { ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => {
  const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey });
  const link = row.querySelector('.row-link');
  link?.dispatchEvent(click);
  return link !== null;
};

export const useRowKeys = ({ count, scrollTo, onOpen, onSelect }: Keys) => {
  const body = useRef<HTMLDivElement>(null);
  const focusRow = (index: number) => {
    if (index < 0 || index >= count) return;
    scrollTo(index);
    // React may not render the row until the next frame.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    const isRow = event.target === place;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (!place || event.altKey || (hasModifier && !(isRow && event.key === 'Enter'))) return;
    const index = Number(place.dataset.index);
    const open = () => {
      if (!follow(place, event)) onOpen(index);
    };
    const actions: Record<string, () => void> = {
      j: () => focusRow(index + 1),
      ArrowDown: () => focusRow(index + 1),
      k: () => focusRow(index - 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      ...(isRow ? { Enter: open, e: open, x: () => onSelect(index) } : {}),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const step = (by: number) => {
    const here = document.activeElement?.closest<HTMLElement>('[data-index]');
    focusRow(here && body.current?.contains(here) ? Number(here.dataset.index) + by : 0);
  };
  useCommands(
    count > 0
      ? [
          { label: texts.shortcuts.nextRow, keys: 'j', run: () => step(1) },
          { label: texts.shortcuts.previousRow, keys: 'k', run: () => step(-1) },
        ]
      : [],
  );
  return { body, onKeyDown };
};
