/** Caches the last result of a function. */
export const rememberLast = <Input, Result>(
  compute: (input: Input) => Result,
  isSame = (one: Input, other: Input): boolean => one === other,
): ((input: Input) => Result) => {
  let last: { input: Input; result: Result } | undefined;
  return (input) => {
    if (last === undefined || !isSame(last.input, input)) last = { input, result: compute(input) };
    return last.result;
  };
};

/** Makes a value on first use and keeps it. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};
