import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { insertCalls } from './trace-request.ts';

const SOURCE = `
const double = (one: number) => one * 2;
const createAdd = (most: number) => {
  const limit = (sum: number) => ({ sum: Math.min(sum, most) });
  return { add(one: number) { return limit(one + 1); } };
};
class Pet { constructor(readonly name: string) {} }
function unused(): void {}
run(createAdd(7).add(double(2)), [1].map((one) => (two: number) => one + two)[0]?.(3), new Pet('Rex'));
`;

describe('a trace', () => {
  const sources: Parameters<typeof insertCalls>[2] = [];
  const text = new Bun.Transpiler({ loader: 'ts' }).transformSync(insertCalls('src/sum.ts', SOURCE, sources));
  const results: unknown[] = [];
  const called: number[] = [];
  const world = { called: (index: number) => called.push(index) };
  new Function('globalThis', 'run', text)(world, (...all: unknown[]) => results.push(...all));
  const names = called.map((index) => sources[index]?.name);

  test('names the functions in the order of their calls', () => {
    expect(names).toEqual(['createAdd', 'double', 'createAdd.add', 'createAdd.limit', '', '', 'Pet.constructor']);
  });

  test('leaves out functions that are not called', () => {
    expect(sources.map(({ name }) => name)).toContain('unused');
    expect(names).not.toContain('unused');
  });

  test('changes no result', () => {
    expect(results).toEqual([{ sum: 5 }, 4, expect.objectContaining({ name: 'Rex' })]);
  });

  test('marks closures, and shows the line of each function', () => {
    expect(sources.filter(({ isClosure }) => isClosure).map(({ line }) => line)).toEqual([4, 5, 9]);
    expect(sources[0]).toEqual({ file: 'src/sum.ts', line: 2, name: 'double', isClosure: false });
  });
});

test('a real get and a real create are traced from the server to the stored row', async () => {
  const command = [process.execPath, join(ROOT, 'check/trace-request.ts'), '--list'];
  const running = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const lines = (await new Response(running.stdout).text()).trimEnd().split('\n');
  expect(await running.exited).toBe(0);
  const counts = JSON.parse(lines.pop() as string);
  const middle = lines.indexOf('create');
  const [get, create] = [lines.slice(1, middle), lines.slice(middle + 1)];
  for (const [calls, { files, functions, closures }] of [
    [get, counts.get],
    [create, counts.create],
  ] as const) {
    expect(calls[0]).toStartWith('  src/http/server.ts:');
    expect(calls.length).toBe(functions);
    expect(new Set(calls.map((call: string) => call.split(':')[0])).size).toBe(files);
    expect(calls.filter((call: string) => call.endsWith(' (closure)')).length).toBe(closures);
  }
  expect(get.join('\n')).toMatch(/get-pet\.ts/);
  expect(create.join('\n')).toMatch(/create-pet\.ts.*pets\.repository\.sql\.ts/s);
});
