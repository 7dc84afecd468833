/** The fields of `before` that are different in `after`, as they were; undefined if nothing changed. */
export const changedFields = <Body extends object>(before: Body, after: Body): Partial<Body> | undefined => {
  const names = (Object.keys(before) as (keyof Body)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.length === 0
    ? undefined
    : (Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Body>);
};
