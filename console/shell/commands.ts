import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { createValue } from '../data/value.ts';

/** Something that can be done from the palette, and perhaps by a key or two in a row (`g p`). */
export type Command = { label: string; keys?: string; run: () => void };

const registered = createValue<ReadonlyMap<string, readonly Command[]>>(new Map());

/** Offers commands while the component is shown: from when it is first seen, not a moment later. */
export const useCommands = (commands: readonly Command[]): void => {
  const id = useId();
  const shape = commands.map(({ label, keys = '' }) => `${keys} ${label}`).join('\n');
  const run = useEffectEvent((index: number) => commands[index]?.run());
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered changes with its words alone.
  useLayoutEffect(() => {
    const offered = commands.map((command, index) => ({ ...command, run: () => run(index) }));
    registered.set(new Map(registered.get()).set(id, offered));
    return () => {
      const others = new Map(registered.get());
      others.delete(id);
      registered.set(others);
    };
  }, [id, shape]);
};

export const allCommands = (): Command[] => [...registered.get().values()].flat();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const PLACE = 'petstore-keys-off';

/** Whether a letter alone does something: who speaks to the computer, or hits keys by chance, switches it off. */
export const areKeysOn = createValue(localStorage.getItem(PLACE) === null);

export const switchKeys = (isOn: boolean): void => {
  areKeysOn.set(isOn);
  if (isOn) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, 'yes');
};

/** So long after the first of two keys the second still counts. */
const SEQUENCE_MS = 1000;

/** Listens for the keys of all commands. Returns what ends it. */
export const listenForKeys = (): (() => void) => {
  let first = { key: '', at: 0 };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey || (!isCommand && (isTyping(event.target) || !areKeysOn.get()))) return;
    // Below an open dialog the page does nothing.
    if (document.querySelector('dialog[open]') && !isCommand) return;
    const key = isCommand ? `mod ${event.key.toLowerCase()}` : event.key;
    const pair = event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : '';
    const commands = allCommands();
    const command = commands.find(({ keys }) => keys === pair) ?? commands.find(({ keys }) => keys === key);
    first = { key, at: event.timeStamp };
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    command.run();
  };
  // Before the tables hear it: the second of two keys may be one of theirs.
  addEventListener('keydown', onKeyDown, { capture: true });
  return () => removeEventListener('keydown', onKeyDown, { capture: true });
};
