declare module '*.css';

/** In browsers since 2024; not yet in TypeScript's library. */
interface JSON {
  rawJSON(text: string): unknown;
}
