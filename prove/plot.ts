export type Series = { name: string; unit: string; values: readonly number[] };

const [WIDTH, HEIGHT, GAP] = [640, 120, 44];

const shown = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

const panel = ({ name, unit, values }: Series, index: number): string => {
  const most = Math.max(...values, 1);
  const points = values.map((value, at) => {
    const x = (WIDTH * at) / Math.max(1, values.length - 1);
    return `${x.toFixed(1)},${(HEIGHT * (1 - value / most)).toFixed(1)}`;
  });
  return [
    `<g transform="translate(16 ${index * (HEIGHT + GAP) + 32})">`,
    `<text y="-8">${name}: ${shown(values[0] ?? 0)} to ${shown(values.at(-1) ?? 0)} ${unit}, at most ${shown(most)}</text>`,
    `<path d="M0 ${HEIGHT}H${WIDTH}" stroke="#bbb"/>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="#0f7b6c" stroke-width="1.5"/>`,
    '</g>',
  ].join('\n');
};

export const plot = (series: readonly Series[], caption: string): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 32}" height="${series.length * (HEIGHT + GAP) + 36}" font-family="sans-serif" font-size="13">`,
    `<title>${caption}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...series.map(panel),
    `<text x="16" y="${series.length * (HEIGHT + GAP) + 20}">${caption}</text>`,
    '</svg>',
    '',
  ].join('\n');
