const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** Beyond it nobody counts days: the date says more. */
const FAR_MS = 60 * 86_400_000;

/** How far an instant is from now, in its largest unit: `2 min ago`, `in 3 h`; if it is far away, its date. */
export const relativeTime = (at: number, now: number): string => {
  const away = Math.abs(at - now);
  if (away > FAR_MS) return new Date(at).toISOString().slice(0, '2027-01-31'.length);
  const [ms, name] = UNITS.find(([unit]) => away >= unit) ?? [1, ''];
  if (name === '') return 'now';
  const count = `${Math.floor(away / ms)} ${name}`;
  return at > now ? `in ${count}` : `${count} ago`;
};
