import type { MaybePromise } from './maybe-promise.ts';

/**
 * Metrics in the Prometheus text format (version 0.0.4). A series gets its labels when it is created, so that a request
 * only adds to a number. Label values must be constants, never a caller's input.
 */

type Labels = Readonly<Record<string, string>>;
type Sample = { labels?: Labels; value: number };

export type Counter = { add(count?: number): void };
export type Histogram = { observe(value: number): void };

type Family = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; lines(): MaybePromise<string[]> };

const escapeValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const formatLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

const line = (name: string, labels: Labels, value: number): string => `${name}${formatLabels(labels)} ${value}`;

const createSeries = <Series>(make: (labels: Labels) => Series) => {
  const known = new Map<string, Series>();
  return {
    all: () => known.values(),
    of: (labels: Labels = {}): Series => {
      const spelled = formatLabels(labels);
      const found = known.get(spelled) ?? make(labels);
      known.set(spelled, found);
      return found;
    },
  };
};

const createCounter = (name: string) => (labels: Labels) => {
  let total = 0;
  return {
    add: (count = 1): void => {
      total += count;
    },
    lines: () => [line(name, labels, total)],
  };
};

const createHistogram = (name: string, bounds: readonly number[]) => (labels: Labels) => {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  const lines = (): string[] => {
    let below = 0;
    const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
      below += counts[index] as number;
      return line(`${name}_bucket`, { ...labels, le }, below);
    });
    return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, below)];
  };
  return {
    observe: (value: number): void => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] as number)) at += 1;
      counts[at] = (counts[at] as number) + 1;
      sum += value;
    },
    lines,
  };
};

/** Milliseconds to wait for a metric. Slower metrics are left out, so that Prometheus gets the others in time. */
const PATIENCE_MS = 2000;

const shareRead = <Value>(read: () => MaybePromise<Value>, patienceMs: number): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined;
  return async () => {
    reading ??= Promise.resolve()
      .then(read)
      .finally(() => {
        reading = undefined;
      });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('timed out')), patienceMs);
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  };
};

export const createMetrics = ({ patienceMs = PATIENCE_MS } = {}) => {
  const families: Family[] = [];

  const show = async ({ name, help, type, lines }: Family): Promise<string> => {
    const shown = await Promise.resolve()
      .then(lines)
      .catch(() => []);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...shown, ''].join('\n');
  };

  return {
    counter(name: string, help: string): (labels?: Labels) => Counter {
      const series = createSeries(createCounter(name));
      families.push({ name, help, type: 'counter', lines: () => [...series.all()].flatMap(({ lines }) => lines()) });
      return series.of;
    },

    histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Histogram {
      const series = createSeries(createHistogram(name, bounds));
      families.push({ name, help, type: 'histogram', lines: () => [...series.all()].flatMap(({ lines }) => lines()) });
      return series.of;
    },

    read(type: 'gauge' | 'counter', name: string, help: string, read: () => MaybePromise<readonly Sample[]>): void {
      const share = shareRead(read, patienceMs);
      const lines = async () => (await share()).map(({ labels = {}, value }) => line(name, labels, value));
      families.push({ name, help, type, lines });
    },

    show: async (): Promise<string> => (await Promise.all(families.map(show))).join(''),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
