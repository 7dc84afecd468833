import { displayWidth, padEnd } from './text.ts';

export const WIDEST = 110;

export const wrap = (text: string, width: number): string[] => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

const GAP = 3;
const LONGEST_LABEL = 32;
const NARROWEST = 12;

export const explainEach = (entries: readonly (readonly [label: string, meaning: string])[], width: number) => {
  const longest = Math.min(LONGEST_LABEL, Math.floor(width / 2) - GAP);
  const labels = entries.map(([label]) => displayWidth(label)).filter((length) => length <= longest);
  const left = Math.max(0, ...labels) + GAP;
  return entries.flatMap(([label, meaning]) => {
    const lines = wrap(meaning, Math.max(NARROWEST, width - left - 2));
    const isLong = displayWidth(label) > longest;
    const indented = lines.map((line, index) => `  ${padEnd(index === 0 && !isLong ? label : '', left)}${line}`);
    return (isLong ? [`  ${label}`, ...indented] : indented).map((line) => line.trimEnd());
  });
};
