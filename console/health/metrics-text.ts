export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const ESCAPED: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' };

const readLabels = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (whole, letter: string) => ESCAPED[letter] ?? whole),
    ]),
  );

const readValue = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));

export const readMetrics = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: readValue(value) }];
  });
