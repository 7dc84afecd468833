import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Tone } from './badge.tsx';
import type { PlotColor } from './plot/plot-data.ts';

const [WIDTH, HEIGHT, MARGIN] = [88, 32, 3];

const Sparkline = ({ values, color }: { values: readonly number[]; color: PlotColor }) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => [
    (index / Math.max(1, values.length - 1)) * WIDTH,
    high === low ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN),
  ]);
  const [x = 0, y = 0] = points.at(-1) ?? [];
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline className={`drawn line ${color}`} points={points.map((point) => point.join()).join(' ')} />
      <circle className={`fill ${color}`} cx={x} cy={y} r={2.5} />
    </svg>
  );
};

type Props = {
  title: string;
  icon: LucideIcon;
  value: string | undefined;
  note?: ReactNode;
  tone?: Tone;
  noteIcon?: LucideIcon;
  trend?: readonly number[] | undefined;
  color?: PlotColor;
  href?: string | undefined;
};

export const KeyFigure = (props: Props) => {
  const { title, icon: Icon, value, note, tone = 'plain', noteIcon: NoteIcon, trend, color = 'good', href } = props;
  const inside = (
    <>
      <span className="title">
        <Icon className="icon" />
        {title}
      </span>
      <span className="value">{value ?? '–'}</span>
      {trend && trend.length > 1 && <Sparkline values={trend} color={color} />}
      <span className={`note ${tone}`}>
        {NoteIcon && <NoteIcon className="icon" />}
        {note}
      </span>
    </>
  );
  return href ? (
    <Link className="figure" href={href}>
      {inside}
    </Link>
  ) : (
    <div className="figure">{inside}</div>
  );
};
