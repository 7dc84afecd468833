import type { TextlintPluginCreator } from '@textlint/kernel';
import type { Passage } from './passage.ts';
import { passagesOf } from './source.ts';

const createLocate = (text: string) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) };
  };
};

const treeOf = (text: string, passages: readonly Passage[]) => {
  const locate = createLocate(text);
  const node = (type: string, start: number, end: number, rest: object) => ({
    type,
    range: [start, end],
    loc: { start: locate(start), end: locate(end) },
    raw: text.slice(start, end),
    ...rest,
  });
  const children = passages.map(({ parts }) => {
    const inner = parts.map(({ start, end, text: value, isCode }) =>
      node(isCode ? 'Code' : 'Str', start, end, { value }),
    );
    return node('Paragraph', parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0, { children: inner });
  });
  return node('Document', 0, text.length, { children });
};

export const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.js', '.mjs', '.css', '.yml'];

export const sourcePlugin: TextlintPluginCreator = {
  Processor: class {
    availableExtensions() {
      return SOURCE_EXTENSIONS;
    }
    processor() {
      return {
        preProcess: (text: string, path = '') => treeOf(text, passagesOf(path, text)) as never,
        postProcess: (messages: never[], path = '') => ({ messages, filePath: path }),
      };
    }
  },
};
