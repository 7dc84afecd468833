const fewDigits = (value: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 });

export const showNumber = fewDigits;

const scaled =
  (units: readonly [size: number, unit: string][]) =>
  (value: number): string => {
    const [size, unit] = units.find(([size]) => Math.abs(value) >= size) ?? (units.at(-1) as [number, string]);
    return `${fewDigits(value / size)}\u00A0${unit}`;
  };

export const showMs = scaled([
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
  [1, 'ms'],
]);

export const showBytes = scaled([
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
]);

export const showShare = (value: number): string => `${fewDigits(value * 100)}%`;
