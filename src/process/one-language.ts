/**
 * zod brings its messages in fifty languages, a file each, and loading them takes an eighth of a start. Only English is
 * spoken here, so whoever loads zod after this file gets that one.
 */
Bun.plugin({
  name: 'one language',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
});
