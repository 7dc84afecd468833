import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Usage: `bun bench/flame-graph.ts <profile> <svg>`, where the profile comes from `bun --cpu-prof`. The width of a
 * frame shows its share of the processor time. Each function is drawn above its caller.
 */
type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };
type Frame = { name: string; micros: number; children: Map<string, Frame> };

const WIDTH = 1200;
const HEIGHT = 17;
const NARROWEST = 1;
const SHADES = ['#f4a261', '#e9c46a', '#e76f51', '#f6bd60', '#ee9b7a'];

const nameOf = ({ callFrame: { functionName, url, lineNumber } }: Node): string => {
  const file = url.replace(/^.*\/(src|node_modules)\//, '$1/');
  return `${functionName || '(anonymous)'}${file ? ` ${file}:${lineNumber + 1}` : ''}`;
};

const toTree = ({ nodes, samples, timeDeltas }: Profile): Frame => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const root: Frame = { name: 'all', micros: 0, children: new Map() };
  samples.forEach((sample, index) => {
    const stack: string[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const node = byId.get(id);
      if (node && node.callFrame.functionName !== '(root)') stack.unshift(nameOf(node));
    }
    // Counts at most 5 ms per sample, because the profiler attributes idle time to the last function that ran.
    const micros = Math.min(timeDeltas[index] ?? 0, 5000);
    let frame = root;
    frame.micros += micros;
    for (const name of stack) {
      const child = frame.children.get(name) ?? { name, micros: 0, children: new Map() };
      frame.children.set(name, child);
      child.micros += micros;
      frame = child;
    }
  });
  return root;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const depthOf = (frame: Frame): number => 1 + Math.max(0, ...[...frame.children.values()].map(depthOf));

const draw = (root: Frame): string => {
  const rows = Math.min(depthOf(root), 60);
  const height = rows * HEIGHT + 10;
  const boxes: string[] = [];
  const place = (frame: Frame, x: number, level: number): void => {
    const width = (frame.micros / root.micros) * WIDTH;
    if (width < NARROWEST || level >= rows) return;
    const y = height - (level + 1) * HEIGHT;
    const share = ((100 * frame.micros) / root.micros).toFixed(1);
    const shade = SHADES[frame.name.length % SHADES.length];
    const label = escaped(frame.name.slice(0, Math.floor(width / 6.2)));
    boxes.push(
      `<g><title>${escaped(frame.name)}: ${share} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${HEIGHT - 1}" fill="${shade}"/>${label.length > 2 ? `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${label}</text>` : ''}</g>`,
    );
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.micros - a.micros)) {
      place(child, left, level + 1);
      left += (child.micros / root.micros) * WIDTH;
    }
  };
  place(root, 0, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">\n<title>Flame graph</title>\n${boxes.join('\n')}\n</svg>\n`;
};

const [profile = '', svg = ''] = process.argv.slice(2);
writeFileSync(svg, draw(toTree(JSON.parse(readFileSync(profile, 'utf8')))));
