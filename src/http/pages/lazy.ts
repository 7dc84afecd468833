/** Makes a value for the first who asks and keeps it; if it cannot be made, the next who asks tries again. */
export const lazy = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};
