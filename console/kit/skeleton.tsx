/** The shape of what comes. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
      <div key={index} />
    ))}
  </div>
);
