import { spellJson } from '../kernel/log.ts';
import type { Sink } from './log.ts';

type Line = { time: string; level: string; event: string } & Record<string, unknown>;

const [DIM, GREEN, YELLOW, RED] = [2, 32, 33, 31] as const;

/** Text from outside as one line that no terminal acts on: escaped, without the quotes of JSON. */
const plain = (value: unknown): string => {
  const spelled = spellJson(value);
  return typeof value === 'string' ? spelled.slice(1, -1) : spelled;
};

/** A refusal is no fault of ours, and no error. */
const colourOf = (status: number): number => (status >= 500 ? RED : status >= 400 ? YELLOW : GREEN);

const createPaint =
  (hasColours: boolean) =>
  (colour: number, text: string): string =>
    hasColours ? `\x1b[${colour}m${text}\x1b[0m` : text;

type Paint = ReturnType<typeof createPaint>;

const showRequest = ({ status, method, path, durationMs, operation = '', keyId = '' }: Line, paint: Paint): string =>
  [
    paint(colourOf(Number(status)), plain(status)),
    plain(method).padEnd(6),
    plain(path),
    paint(DIM, [plain(operation), `${Number(durationMs).toFixed(1)} ms`, plain(keyId)].filter(Boolean).join('  ')),
  ].join('  ');

const showOther = ({ time: _, level, event, ...fields }: Line, paint: Paint): string => {
  const colour = { error: RED, warn: YELLOW }[level] ?? GREEN;
  const told = Object.entries(fields).map(([name, value]) => `${name}: ${plain(value)}`);
  return [paint(colour, event), ...told].join('  ');
};

/** A line of the log for whoever sits in front of it. @internal */
export const readableLine = (json: string, hasColours: boolean): string => {
  const line = JSON.parse(json) as Line;
  const paint = createPaint(hasColours);
  const rest = line.event === 'request' ? showRequest(line, paint) : showOther(line, paint);
  return `${paint(DIM, line.time.slice(11, 19))}  ${rest}`;
};

/** Hands the lines on readably. Only what is written waits for it: nothing on the way of a request. */
export const createReadableSink =
  (sink: Sink, hasColours: boolean): Sink =>
  (lines) => {
    const shown = String(lines)
      .split('\n')
      .filter(Boolean)
      .map((line) => `${readableLine(line, hasColours)}\n`);
    return sink(Buffer.from(shown.join('')));
  };
