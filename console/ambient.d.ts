declare module '*.css';

/** TypeScript's type library does not declare `JSON.rawJSON` yet. Browsers have supported it since 2024. */
interface JSON {
  rawJSON(text: string): unknown;
}
