import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { PlotData } from './plot-data.ts';

const colorOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** What `light-dark()` comes to can be read from an element alone. */
const resolveColor = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`;
  const color = getComputedStyle(element).color;
  element.style.color = '';
  return color || colorOf(name);
};

const stack = (lines: PlotData['lines']): (number | null)[][] => {
  const sums: number[] = [];
  return lines.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index] ?? null;
    }),
  );
};

const draw = (element: HTMLElement, data: PlotData, width: number): uPlot => {
  const { times, lines, isStacked = false, isBars = false, isStepped = false, height = 160, show = String } = data;
  const values = isStacked ? stack(lines) : lines.map(({ values }) => [...values]);
  const [ink, line] = [resolveColor(element, 'soft'), resolveColor(element, 'line')];
  const axis = {
    stroke: ink,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '11px system-ui',
  };
  const series = lines.map(({ label, color }, index): uPlot.Series => {
    const stroke = resolveColor(element, color);
    const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const paths = isBars ? uPlot.paths.bars?.({ size: [0.9, 40] }) : stepped;
    return {
      label,
      stroke,
      width: isBars ? 0 : 1.5,
      ...(isBars || isStacked ? { fill: stroke } : {}),
      ...(paths ? { paths } : {}),
      points: { show: false },
      value: (_, __, ___, at) => (at === null ? '–' : show(lines[index]?.values[at] ?? 0)),
    };
  });
  return new uPlot(
    {
      width,
      height,
      series: [{}, ...series].slice(0, 1).concat(isStacked ? series.toReversed() : series),
      axes: [axis, { ...axis, size: 56, values: (_, splits) => splits.map((value) => show(value)) }],
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
      legend: { live: true },
    },
    [[...times], ...(isStacked ? values.toReversed() : values)] as uPlot.AlignedData,
    element,
  );
};

/** Drawn anew when the data, the width or the colours change. */
export const PlotDrawing = (data: PlotData) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const redraw = () => {
      plot?.destroy();
      plot = element.clientWidth > 0 ? draw(element, data, element.clientWidth) : undefined;
    };
    const sizes = new ResizeObserver(() => {
      if (plot?.width !== element.clientWidth) redraw();
    });
    sizes.observe(element);
    const colors = matchMedia('(prefers-color-scheme: dark)');
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    colors.addEventListener('change', redraw);
    redraw();
    return () => {
      sizes.disconnect();
      themes.disconnect();
      colors.removeEventListener('change', redraw);
      plot?.destroy();
    };
  }, [data]);
  return <div ref={place} />;
};
