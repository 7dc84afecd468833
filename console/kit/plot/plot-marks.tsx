import type { PlotColor, PlotData, PlotLine } from './plot-data.ts';
import { stackLines } from './plot-scale.ts';

/** Lines also have different dashes, and some bars have stripes, for users who cannot tell the colours apart. */
const DASHES = ['', '6 4', '2 4', '10 3 2 3'];
const STRIPED: readonly PlotColor[] = ['warn', 'bad'];

const dashOf = ({ dash }: PlotLine, index: number): string => dash?.join(' ') ?? DASHES[index % DASHES.length] ?? '';

const stripesId = (id: string, color: PlotColor): string => `${id}-${color}`;

export const Stripes = ({ id }: { id: string }) => (
  <defs>
    {STRIPED.map((color) => (
      <pattern
        key={color}
        id={stripesId(id, color)}
        width={color === 'bad' ? 3 : 6}
        height={6}
        patternUnits="userSpaceOnUse"
        patternTransform={color === 'bad' ? 'rotate(90)' : 'rotate(45)'}
      >
        <rect width={6} height={6} className={`${color} fill`} />
        <path d="M0 0V6" className="stripe" />
      </pattern>
    ))}
  </defs>
);

const fillOf = (id: string, color: PlotColor) =>
  STRIPED.includes(color) ? { fill: `url(#${stripesId(id, color)})` } : { className: `${color} fill` };

export const Swatch = ({ id, of, index, isBars }: { id: string; of: PlotLine; index: number; isBars: boolean }) => (
  <svg className="swatch" viewBox="0 0 12 12" aria-hidden="true">
    {isBars ? (
      <rect width={12} height={12} rx={3} {...fillOf(id, of.color)} />
    ) : (
      <path d="M0 6H12" className={`drawn line ${of.color}`} strokeDasharray={dashOf(of, index)} />
    )}
  </svg>
);

export type Frame = {
  id: string;
  width: number;
  height: number;
  x: (index: number) => number;
  y: (v: number) => number;
};

const BAR_SHARE = 0.78;
const MAX_BAR_PX = 28;

const Bars = ({ data, frame: { id, width, y }, frame }: { data: PlotData; frame: Frame }) => {
  const bar = Math.min(MAX_BAR_PX, (width / Math.max(1, data.times.length)) * BAR_SHARE);
  return stackLines(data).map((values, nth) => {
    const line = data.lines[nth] as PlotLine;
    return (
      <g key={line.label} {...fillOf(id, line.color)}>
        {values.map(({ from, to }, index) =>
          to === null || to === from ? null : (
            <rect
              key={data.times[index]}
              x={frame.x(index) - bar / 2}
              y={y(to)}
              width={bar}
              height={Math.max(1, y(from) - y(to))}
            />
          ),
        )}
      </g>
    );
  });
};

const pathOf = (values: readonly (number | null)[], { x, y }: Frame, isStepped: boolean): string => {
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const [at, high] = [x(index).toFixed(1), y(value).toFixed(1)];
      const step = isDrawing ? (isStepped ? `H${at}V${high}` : `L${at} ${high}`) : `M${at} ${high}`;
      isDrawing = true;
      return values.length === 1 ? `${step}h0.1` : step;
    })
    .join('');
};

export const Marks = ({ data, frame }: { data: PlotData; frame: Frame }) => {
  if (data.isBars) return <Bars data={data} frame={frame} />;
  return stackLines(data).map((values, index) => {
    const line = data.lines[index] as PlotLine;
    return (
      <path
        key={line.label}
        className={`drawn line ${line.color}`}
        strokeDasharray={dashOf(line, index)}
        d={pathOf(
          values.map(({ to }) => to),
          frame,
          data.isStepped ?? false,
        )}
      />
    );
  });
};
