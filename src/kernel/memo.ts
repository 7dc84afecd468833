/** The same function with a memory for its last result: nearly always the same input comes again. */
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

/** Makes a value for the first who asks, and keeps it for all others. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};
