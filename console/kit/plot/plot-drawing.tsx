import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { texts } from '../../texts.ts';
import type { PlotData } from './plot-data.ts';

const ALONE_SECONDS = 60;

/** A canvas does not understand CSS variables, so the browser must look up the colour first. */
const resolveColor = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
};

/** The last line has the highest sum. It is drawn first, so that it does not cover the other lines. */
const stack = (lines: PlotData['lines']): (number | null)[][] => {
  const sums: number[] = [];
  const stacked = lines.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index];
    }),
  );
  return stacked.toReversed() as number[][];
};

const rowsOf = ({ times, lines, isStacked = false }: PlotData): uPlot.AlignedData =>
  [[...times], ...(isStacked ? stack(lines) : lines.map(({ values }) => [...values]))] as uPlot.AlignedData;

const draw = (element: HTMLElement, latest: () => PlotData): uPlot => {
  const { lines, isStacked = false, isBars = false, isStepped = false, height = 160, show = String } = latest();
  const [ink, line] = [resolveColor(element, 'soft'), resolveColor(element, 'line')];
  const axis = {
    stroke: ink,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '11px system-ui',
  };
  const drawn = (isStacked ? lines.toReversed() : lines).map(({ label, color, dash }): uPlot.Series => {
    const stroke = resolveColor(element, color);
    const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const paths = isBars ? uPlot.paths.bars?.({ size: [0.9, 40] }) : stepped;
    const valueAt = (index: number | null) => {
      const values = latest().lines.find((line) => line.label === label)?.values;
      return index === null ? values?.findLast((value) => value !== null) : values?.[index];
    };
    return {
      label,
      stroke,
      width: isBars ? 0 : 1.5,
      ...(isBars || isStacked ? { fill: stroke } : {}),
      ...(paths ? { paths } : {}),
      ...(dash ? { dash: [...dash] } : {}),
      points: { show: () => !isBars && latest().times.length === 1 },
      value: (_, __, ___, index) => {
        const value = valueAt(index);
        return value === null || value === undefined ? '–' : show(value);
      },
    };
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      series: [{}, ...drawn],
      axes: [axis, { ...axis, size: 64, values: (_, splits) => splits.map((value) => show(value)) }],
      scales: {
        // For a single point, uPlot would show a time axis that covers years.
        x: { range: (_, from, to) => (latest().times.length === 1 ? [from - ALONE_SECONDS, from] : [from, to]) },
        y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
      },
    },
    rowsOf(latest()),
    element,
  );
};

const lastValues = ({ label, lines, show = String }: PlotData): string =>
  `${label}: ${lines
    .map((line) => {
      const last = line.values.findLast((value) => value !== null);
      return `${line.label} ${last === null || last === undefined ? texts.kit.noValue : show(last)}`;
    })
    .join(', ')}`;

export const PlotDrawing = (data: PlotData) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(data);
  useEffect(() => {
    latest.current = data;
    plot.current?.setData(rowsOf(data));
  }, [data]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const redraw = () => {
      plot.current?.destroy();
      plot.current = element.clientWidth > 0 ? draw(element, () => latest.current) : undefined;
    };
    const sizes = new ResizeObserver(() => {
      if (plot.current?.width !== element.clientWidth) redraw();
    });
    const themes = new MutationObserver(redraw);
    const colors = matchMedia('(prefers-color-scheme: dark)');
    sizes.observe(element);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    colors.addEventListener('change', redraw);
    return () => {
      sizes.disconnect();
      themes.disconnect();
      colors.removeEventListener('change', redraw);
      plot.current?.destroy();
    };
  }, []);
  return <div ref={place} role="img" aria-label={lastValues(data)} />;
};
