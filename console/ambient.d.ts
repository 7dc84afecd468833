declare module '*.css';

/** Browsers have supported `JSON.rawJSON` since 2024, but TypeScript's type library does not declare it yet. */
interface JSON {
  rawJSON(text: string): unknown;
}
