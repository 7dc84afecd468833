const { spawn } = process.getBuiltinModule('node:child_process');

/** What opens an address as the user would have it. */
const OPENER = process.platform === 'darwin' ? 'open' : 'xdg-open';

/** Opens an address in the browser of whoever sits at the terminal. The service goes on whatever comes of it. */
export const openBrowser = (url: string): void => {
  const browser = spawn(OPENER, [url], { stdio: 'ignore', detached: true });
  browser.once('error', () =>
    process.stderr.write(`  cannot open a browser (there is no ${OPENER}): open ${url} yourself\n`),
  );
  browser.unref();
};
