declare module '*.css';

/** Supported by browsers since 2024, but not yet by TypeScript's library. */
interface JSON {
  rawJSON(text: string): unknown;
}
