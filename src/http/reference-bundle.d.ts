/** The path of the bundle for browsers. Embedded where the program is built into one file. */
declare module '@scalar/api-reference/browser/standalone.js' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: that is how the runtime hands over a path.
  export default path;
}
