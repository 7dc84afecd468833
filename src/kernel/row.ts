type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

export type RowOf<Domain> = {
  [Name in keyof Domain & string as SnakeCase<Name>]: Domain[Name] extends infer Value
    ? Value extends number
      ? bigint
      : Value
    : never;
};

export const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));
