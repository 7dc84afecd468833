import type { LucideIcon } from 'lucide-react';
import { useEffectEvent, useId, useLayoutEffect } from 'react';
import { createValue } from '../data/value.ts';

/** `keys` is one key, one key with Ctrl or Command such as `mod k`, or two keys pressed in sequence such as `g p`. */
export type Command = {
  label: string;
  keys?: string;
  icon?: LucideIcon;
  /** The heading in the command menu, which is "Actions" by default. */
  group?: string;
  /** The address that the command opens, if the command menu lists it under "Recent". */
  to?: string;
  /** The label under "Recent", if `label` contains facts that may change. */
  name?: string;
  /** Other words that find the command in the command menu. */
  words?: string;
  run: () => void;
};

const registered = createValue<ReadonlyMap<string, readonly Command[]>>(new Map());

/** Registers the commands in a layout effect, so that they are available before the first paint. */
export const useCommands = (commands: readonly Command[]): void => {
  const id = useId();
  const shape = commands.map(({ label, keys = '' }) => `${keys} ${label}`).join('\n');
  const run = useEffectEvent((index: number) => commands[index]?.run());
  // biome-ignore lint/correctness/useExhaustiveDependencies: commands change only if their labels or keys change.
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

/** Spoken words may accidentally trigger single-key shortcuts, so users of speech input can turn the shortcuts off. */
export const areKeysOn = createValue(localStorage.getItem(PLACE) === null);

export const switchKeys = (isOn: boolean): void => {
  areKeysOn.set(isOn);
  if (isOn) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, 'yes');
};

const SEQUENCE_MS = 1000;

export const listenForKeys = (): (() => void) => {
  let first = { key: '', at: 0 };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey || (!isCommand && (isTyping(event.target) || !areKeysOn.get()))) return;
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
  // Listens in the capture phase; otherwise, a table would also react to the second key of a shortcut.
  addEventListener('keydown', onKeyDown, { capture: true });
  return () => removeEventListener('keydown', onKeyDown, { capture: true });
};
