import { expect, test } from 'bun:test';
import { passOn } from './last-lines.ts';

const MOST = 3;

const listenTo = async (program: string) => {
  const heard: string[] = [];
  const child = Bun.spawn([process.execPath, '-e', program], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const lines = await passOn(child, (chunk) => heard.push(new TextDecoder().decode(chunk)), MOST);
  return { lines, heard: heard.join('') };
};

test('all output of a process is passed on, and its last lines are kept, without empty ones', async () => {
  const { lines, heard } = await listenTo(`console.log('one\\ntwo\\n\\nthree\\nfour\\n');`);
  expect(heard).toBe('one\ntwo\n\nthree\nfour\n\n');
  expect(lines).toEqual(['two', 'three', 'four']);
});

test('standard error is kept too, and a last line without a line break', async () => {
  const { lines } = await listenTo(`process.stderr.write('error: no server');`);
  expect(lines).toEqual(['error: no server']);
});

test('a leftover child process with open streams is not waited for', async () => {
  const left = `Bun.spawn(['sleep', '600'], { stdin: 'ignore', stdout: 1, stderr: 2 })`;
  const { lines } = await listenTo(`const left = ${left}; console.log(left.pid); process.exit(1);`);
  process.kill(Number(lines[0]));
  expect(lines).toEqual([expect.stringMatching(/^\d+$/)]);
});
