/** Keeps one core busy until the parent process closes its standard input or exits, but for an hour at most. */
const SLICE_MS = 50;
const LONGEST_MS = 3_600_000;

process.stdin.on('end', () => process.exit());
process.stdin.on('error', () => process.exit());
process.stdin.resume();

while (performance.now() < LONGEST_MS) {
  const sliceEnd = performance.now() + SLICE_MS;
  while (performance.now() < sliceEnd);
  // Lets the event loop notice the end of the input.
  await new Promise((resolve) => setImmediate(resolve));
}
process.exit();

export {};
