import type { Key } from '../../client/src/index.ts';
import { createValue } from '../data/value.ts';
import { forgetRecent } from './recent.ts';
import { BASE_PATH, ENVIRONMENT } from './session.ts';

/** `storeId` is a string, because `JSON.parse` would round a large 64-bit integer. */
export type HeldKey = { secret: string; name: string; storeId: string };

/**
 * Keys are kept in session storage, which other sites and tabs cannot read and which is deleted when the tab is closed.
 * The API reference uses the current key if it is opened in the same tab.
 */
const CURRENT = 'petstore-key';
const HELD = 'petstore-keys';

/** Keys that this tab can switch to, including the current one. */
export const heldKeys = createValue<readonly HeldKey[]>(JSON.parse(sessionStorage.getItem(HELD) ?? '[]'));

const currentKey = (): string | undefined => sessionStorage.getItem(CURRENT) ?? undefined;
export const setCurrentKey = (secret: string): void => sessionStorage.setItem(CURRENT, secret);

const keep = (held: readonly HeldKey[]): void => {
  heldKeys.set(held);
  sessionStorage.setItem(HELD, JSON.stringify(held));
};

const add = (others: readonly HeldKey[]): void => {
  const bySecret = new Map([...heldKeys.get(), ...others].map((one) => [one.secret, one]));
  keep([...bySecret.values()]);
};

export const dropKeys = (secrets: readonly string[]): void => {
  forgetRecent();
  keep(heldKeys.get().filter(({ secret }) => !secrets.includes(secret)));
  if (secrets.includes(currentKey() ?? '')) sessionStorage.removeItem(CURRENT);
};

export const holdKey = (secret: string, { name, storeId }: Pick<Key, 'name' | 'storeId'>): void => {
  add([{ secret, name, storeId: String(storeId) }]);
};

type Shared = { current: string; held: readonly HeldKey[]; usedAt: number };
type Message = { kind: 'ask' } | { kind: 'end'; secrets: readonly string[] } | ({ kind: 'keys' } & Shared);

/**
 * How long a new tab waits for other tabs to send their keys, in ms. The new tab then uses the key from the tab that
 * was used last. If no key has arrived, the new tab shows the sign-in form until a key arrives.
 */
const WAIT_MS = 200;

/** The channel's name contains the path, because one origin can serve several consoles under different paths. */
const channel = new BroadcastChannel(`petstore console ${ENVIRONMENT} ${BASE_PATH}`);
const send = (message: Message): void => channel.postMessage(message);

let usedAt = 0;
const noteUse = (): void => {
  usedAt = Date.now();
};

export const shareKeys = (): void => {
  const current = currentKey();
  if (current !== undefined) send({ kind: 'keys', current, held: heldKeys.get(), usedAt });
};

export const endKeys = (secrets: readonly string[]): void => {
  dropKeys(secrets);
  send({ kind: 'end', secrets });
};

type Listeners = {
  /** Called immediately if this tab already has a key. Otherwise, called when another tab sends a key. */
  onKey(secret: string): void;
  onNoKey(): void;
  /** Called when another tab forgets the key that this tab is using. */
  onEnd(): void;
};

/** Connects this tab to the console's other tabs. Decision 35 explains why. */
export const joinTabs = ({ onKey, onNoKey, onEnd }: Listeners): (() => void) => {
  const offers: Shared[] = [];
  let isWaiting = false;

  const take = ({ current, held }: Shared): void => {
    setCurrentKey(current);
    add(held);
    onKey(current);
  };
  const endWait = (): void => {
    isWaiting = false;
    const [latest] = offers.toSorted((one, other) => other.usedAt - one.usedAt);
    if (latest) take(latest);
    else onNoKey();
  };

  const receive = ({ data }: MessageEvent<Message>): void => {
    if (data.kind === 'ask') shareKeys();
    else if (data.kind === 'end') {
      const isOurs = data.secrets.includes(currentKey() ?? '');
      dropKeys(data.secrets);
      if (isOurs) onEnd();
    } else if (currentKey() !== undefined) add(data.held);
    else if (isWaiting) offers.push(data);
    else take(data);
  };
  channel.addEventListener('message', receive);
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, noteUse, { capture: true, passive: true });

  const current = currentKey();
  if (current !== undefined) onKey(current);
  else {
    isWaiting = true;
    send({ kind: 'ask' });
    setTimeout(endWait, WAIT_MS);
  }
  return () => channel.removeEventListener('message', receive);
};
