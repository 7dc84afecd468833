import { type MaybePromise, shareRuns, sleep } from './runtime.ts';

/** Metrics in the Prometheus text format (version 0.0.4). Label values must be constants, never a caller's input. */

type Labels = Readonly<Record<string, string>>;
type Value = { labels?: Labels; value: number | undefined };
type Reading = number | undefined | readonly Value[];
export type Sample = { name: string; labels: Labels; value: number };

export type Counter = { add(count?: number): void };
export type Histogram = { observe(value: number): void };

type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): MaybePromise<Sample[]>;
};

const escapeValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const formatLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

const formatSample = ({ name, labels, value }: Sample): string => `${name}${formatLabels(labels)} ${value}`;

const createCounter = (name: string) => (labels: Labels) => {
  let total = 0;
  return {
    add: (count = 1): void => {
      total += count;
    },
    samples: (): Sample[] => [{ name, labels, value: total }],
  };
};

const createHistogram = (name: string, bounds: readonly number[]) => (labels: Labels) => {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  const samples = (): Sample[] => {
    let below = 0;
    const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
      below += counts[index] as number;
      return { name: `${name}_bucket`, labels: { ...labels, le }, value: below };
    });
    return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: below }];
  };
  return {
    observe: (value: number): void => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] as number)) at += 1;
      counts[at] = (counts[at] as number) + 1;
      sum += value;
    },
    samples,
  };
};

/** A metric that takes longer than this to read is left out, so that Prometheus gets all other metrics in time. */
const PATIENCE_MS = 2000;

export const createMetrics = ({ patienceMs = PATIENCE_MS } = {}) => {
  const families: Family[] = [];

  const addSeries = <Series extends { samples(): Sample[] }>(
    family: Omit<Family, 'samples'>,
    make: (labels: Labels) => Series,
  ): ((labels?: Labels) => Series) => {
    const known = new Map<string, Series>();
    families.push({ ...family, samples: () => [...known.values()].flatMap(({ samples }) => samples()) });
    return (labels = {}) => known.getOrInsertComputed(formatLabels(labels), () => make(labels));
  };

  const read = ({ samples }: Family): Promise<Sample[]> => Promise.try(samples).catch(() => []);

  const show = async (family: Family): Promise<string> => {
    const { name, help, type } = family;
    const shown = (await read(family)).map(formatSample);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...shown, ''].join('\n');
  };

  return {
    counter: (name: string, help: string): ((labels?: Labels) => Counter) =>
      addSeries({ name, help, type: 'counter' }, createCounter(name)),

    histogram: (name: string, help: string, bounds: readonly number[]): ((labels?: Labels) => Histogram) =>
      addSeries({ name, help, type: 'histogram' }, createHistogram(name, bounds)),

    /** If a value is undefined, it is left out of the output. */
    read(name: string, help: string, read: () => MaybePromise<Reading>, type: 'gauge' | 'counter' = 'gauge'): void {
      const share = shareRuns(() => Promise.try(read));
      const samples = async () => {
        const found = await Promise.race([share(), sleep(patienceMs, undefined, { ref: false })]);
        const values: readonly Value[] = typeof found === 'object' ? found : [{ value: found }];
        return values.flatMap(({ labels = {}, value }) => (value === undefined ? [] : [{ name, labels, value }]));
      };
      families.push({ name, help, type, samples });
    },

    sample: async (names: ReadonlySet<string>): Promise<Sample[]> =>
      (await Promise.all(families.filter(({ name }) => names.has(name)).map(read))).flat(),

    show: async (): Promise<string> => (await Promise.all(families.map(show))).join(''),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
