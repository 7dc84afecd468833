import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../test/browser/chromium.ts';
import type { Answer } from './questions.ts';
import { type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const LAUNCH_MS = 60_000;

export const inBrowser =
  (ask: (server: Server, browser: Browser) => Promise<Answer>) =>
  async ({ database, log }: Setting): Promise<Answer | undefined> => {
    const executable = findChromium();
    if (!executable) return undefined;
    const server = await startService(sqlite(database), log);
    try {
      const browser = await launchChromium(executable, LAUNCH_MS);
      try {
        return await ask(server, browser);
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  };
