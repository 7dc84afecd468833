/** Files that are imported `with { type: 'text' }`. Embedded where the program is built into one file. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the runtime hands over a text.
  export default text;
}
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the runtime hands over a text.
  export default text;
}
declare module '*.js' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the runtime hands over a text.
  export default text;
}
