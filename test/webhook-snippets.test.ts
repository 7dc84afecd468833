import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureHeaders } from '../src/delivery/signature.ts';

/** Runs the documented signature verification code unchanged. */

const page = readFileSync(join(import.meta.dir, '..', 'docs', 'guides', 'webhooks.md'), 'utf8');
const snippet = (language: string): string => {
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (!code) throw new Error(`docs/guides/webhooks.md shows no ${language}`);
  return code;
};

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"name":"Zoë 🐕"}';
const headersAt = (timestampSeconds: number, ...secrets: string[]) =>
  signatureHeaders({ eventId: 'evt_1', timestampSeconds, body }, secrets);

type Case = [string, { secret: string; headers: Record<string, string>; body: string }, boolean];
/** Signed just before verification, because signatures older than a few minutes are refused. */
const makeCases = (now = Math.floor(Date.now() / 1000)): Case[] => [
  ['a delivery as it was sent', { secret: SECRET, headers: headersAt(now, SECRET), body }, true],
  ['one that two secrets sign', { secret: SECRET, headers: headersAt(now, OTHER, SECRET), body }, true],
  ['one that another secret signs', { secret: SECRET, headers: headersAt(now, OTHER), body }, false],
  ['one whose body was changed', { secret: SECRET, headers: headersAt(now, SECRET), body: `${body} ` }, false],
  ['one that is an hour old', { secret: SECRET, headers: headersAt(now - 3600, SECRET), body }, false],
];

/** Runs a program on all cases, and returns its results. */
const judge = async (files: Record<string, string>, command: string[]): Promise<unknown> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-snippet-'));
  try {
    const input = JSON.stringify(makeCases().map(([, delivery]) => delivery));
    for (const [name, text] of Object.entries({ ...files, 'cases.json': input }))
      writeFileSync(join(directory, name), text);
    const child = Bun.spawn(command, { cwd: directory, stdout: 'pipe', stderr: 'inherit' });
    return JSON.parse(await new Response(child.stdout).text());
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const languages: [string, string, () => Promise<unknown>][] = [
  [
    'TypeScript',
    'node',
    () =>
      judge(
        {
          'verify.mjs': `${snippet('ts')}
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(JSON.stringify(cases.map((it) => verify(it.secret, it.headers, it.body))));`,
        },
        ['node', 'verify.mjs'],
      ),
  ],
  [
    'Python',
    'python3',
    () =>
      judge(
        {
          'verify.py': `${snippet('python')}
import json
cases = json.load(open('cases.json', encoding='utf-8'))
print(json.dumps([verify(it['secret'], it['headers'], it['body']) for it in cases]))`,
        },
        ['python3', 'verify.py'],
      ),
  ],
  [
    'Go',
    'go',
    () =>
      judge(
        {
          'go.mod': 'module example\n\ngo 1.21\n',
          'verify.go': snippet('go').replace('package webhook', 'package main'),
          'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, it := range cases {
		good, _ := Verify(it.Secret, it.Headers, it.Body)
		results = append(results, good)
	}
	out, _ := json.Marshal(results)
	fmt.Println(string(out))
}
`,
        },
        ['go', 'run', '.'],
      ),
  ],
];

describe('the documented signature verification', () => {
  // Node is always installed. Code in other languages runs only if they are installed.
  const present = languages.filter(([, program]) => Bun.which(program));
  test.each(present)('works in %s', async (_language, _program, run) => {
    expect(await run()).toEqual(makeCases().map(([, , isGood]) => isGood));
  });

  test('is tested at least in Node', () => {
    expect(present.map(([language]) => language)).toContain('TypeScript');
  });
});
