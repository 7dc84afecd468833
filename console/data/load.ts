import { type ComponentType, lazy } from 'react';
import { texts } from '../texts.ts';
import { noteLost, notice } from './notices.ts';

const AGAIN_MS = 2000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const hasOtherVersion = async (): Promise<boolean> => {
  const script = document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';
  try {
    const answer = await fetch(document.baseURI, { cache: 'no-store' });
    return answer.ok && !(await answer.text()).includes(script);
  } catch {
    return false;
  }
};

export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  for (;;) {
    const part = await load().catch(() => undefined);
    if (part) {
      notice.set(undefined);
      return part;
    }
    if (await hasOtherVersion()) {
      throw new Error(texts.updated);
    }
    noteLost(AGAIN_MS);
    await wait(AGAIN_MS);
  }
};

/** A component that loads only when it is first shown. It must be inside a `Suspense`. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadPart(load) }));
