import { type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { texts } from '../../texts.ts';
import type { PlotData, PlotLine } from './plot-data.ts';
import { type Frame, Marks, Stripes, Swatch } from './plot-marks.tsx';
import { niceTop, placeLabels, showMoment, showTick, stackLines, timeTicks } from './plot-scale.ts';

const [DATE_PX, TIME_PX] = [72, 52];
const LONG_S = 2 * 86_400;
const GRID = [1, 0.5, 0];

const useWidth = () => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (place.current) sizes.observe(place.current);
    return () => sizes.disconnect();
  }, []);
  return [place, width] as const;
};

const lastOf = ({ values }: PlotLine): number | undefined => values.findLast((value) => value !== null) ?? undefined;

const totalOf = (line: PlotLine, isBars: boolean): number | undefined =>
  isBars ? line.values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : lastOf(line);

const showOr = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? texts.kit.noValue : show(value);

const showNumber = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 1 });

const frameOf = (data: PlotData, id: string, width: number, height: number, top: number): Frame => {
  const { times, isBars = false } = data;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const band = width / Math.max(1, times.length);
  const at = (index: number) => ((times[index] ?? 0) - first) / Math.max(1, last - first);
  return {
    id,
    width,
    height,
    x: (index) => (isBars ? (index + 0.5) * band : times.length === 1 ? width : at(index) * width),
    y: (value) => height - (Math.min(value, top) / top) * height,
  };
};

const TimeAxis = ({ data: { times, isBars = false }, width }: { data: PlotData; width: number }) => {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const label = last - first > LONG_S ? DATE_PX : TIME_PX;
  const ticks = timeTicks(first, last, Math.floor(width / label), new Date(first * 1000).getTimezoneOffset());
  const band = isBars ? width / Math.max(1, times.length) : 0;
  const at = (tick: number) => band / 2 + ((tick - first) / Math.max(1, last - first)) * (width - band);
  return (
    <div aria-hidden="true">
      {placeLabels(
        ticks.map((tick) => ({ x: at(tick), text: showTick(tick, last - first) })),
        width,
      ).map(({ x, text, side }) => (
        <span key={x} className={side} style={side ? {} : { left: x }}>
          {text}
        </span>
      ))}
    </div>
  );
};

type TipProps = { data: PlotData; frame: Frame; index: number; show: (value: number) => string };

const Tip = ({ data: { times, lines, isBars = false, isDays }, frame, index, show }: TipProps) => {
  const x = frame.x(index);
  const side = x > frame.width / 2 ? { right: frame.width - x + 12 } : { left: x + 12 };
  return (
    <div className="tip" style={side}>
      <h4>{showMoment(times[index] ?? 0, isDays)}</h4>
      <ul>
        {lines.map((line, nth) => (
          <li key={line.label}>
            <Swatch id={frame.id} of={line} index={nth} isBars={isBars} />
            {line.label} <b>{showOr(line.values[index], show)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
};

const nearest = (frame: Frame, count: number, x: number): number => {
  let best = 0;
  for (let index = 1; index < count; index += 1) {
    if (Math.abs(frame.x(index) - x) < Math.abs(frame.x(best) - x)) best = index;
  }
  return best;
};

const Legend = ({ data: { lines, isBars = false }, id, show }: Pick<TipProps, 'data' | 'show'> & { id: string }) => (
  <ul className="legend">
    {lines.map((line, index) => (
      <li key={line.label}>
        <Swatch id={id} of={line} index={index} isBars={isBars} />
        {line.label} <b>{showOr(totalOf(line, isBars), show)}</b>
      </li>
    ))}
  </ul>
);

/** The SVG takes its colours and stripes from the style tokens, so that charts follow the theme. */
export const Plot = (data: PlotData) => {
  const { label, times, lines, isBars = false, height = 160, least = 0, show = showNumber } = data;
  const id = useId();
  const [place, width] = useWidth();
  const [at, setAt] = useState<number>();
  const top = useMemo(
    () =>
      niceTop(
        Math.max(
          // Bars show counts. If the axis ended at 1, its middle label would be 0.5.
          isBars ? 2 : least,
          ...stackLines(data)
            .flat()
            .map(({ to }) => to ?? 0),
        ),
      ),
    [data, isBars, least],
  );
  const frame = frameOf(data, id, width, height, top);
  const index = at === undefined || times.length === 0 ? undefined : Math.min(at, times.length - 1);
  const point = ({ clientX, currentTarget }: PointerEvent) =>
    setAt(nearest(frame, times.length, clientX - currentTarget.getBoundingClientRect().left));
  const said = lines.map((line) => `${line.label} ${showOr(isBars ? totalOf(line, true) : lastOf(line), show)}`);
  return (
    <figure className="plot">
      <figcaption>
        {label} <Legend data={data} id={id} show={show} />
      </figcaption>
      <div className="drawing">
        <div className="y" style={{ height: height + 14 }} aria-hidden="true">
          {GRID.map((share) => (
            <span key={share}>{share === 0 ? 0 : show(top * share)}</span>
          ))}
        </div>
        <div ref={place} className="area" onPointerMove={point} onPointerLeave={() => setAt(undefined)}>
          <svg role="img" aria-label={`${label}: ${said.join(', ')}`}>
            <Stripes id={id} />
            {GRID.map((share) => (
              <path
                key={share}
                className={share === 0 ? 'grid-line base' : 'grid-line'}
                d={`M0 ${height - share * height}H${width}`}
              />
            ))}
            {width > 0 && <Marks data={data} frame={frame} />}
            {index !== undefined && <path className="cursor-line" d={`M${frame.x(index)} 0V${height}`} />}
          </svg>
          {index !== undefined && <Tip data={data} frame={frame} index={index} show={show} />}
        </div>
        <div className="x">{width > 0 && times.length > 0 && <TimeAxis data={data} width={width} />}</div>
      </div>
    </figure>
  );
};
