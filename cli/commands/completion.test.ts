import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lacks } from '../../test/needs.ts';
import { runCommand } from '../../test/no-terminal.ts';

const completionScript = async (shell: string) => (await runCommand(['completion', shell], {})).out ?? '';

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(join(directory, shell), await completionScript(shell));
  writeFileSync(join(directory, 'a-key.txt'), '');
});
afterAll(() => rmSync(directory, { recursive: true }));

const printed = async (command: string[]): Promise<string[]> => {
  const shell = Bun.spawn(command, {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', HOME: directory },
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()]);
  expect(err).toBe('');
  return out.split('\n').filter((line) => line !== '');
};

const inBash = (line: string) =>
  printed([
    ...['bash', '--norc', '-c'],
    `source ./bash; compopt() { :; }; COMP_LINE=$1 COMP_POINT=\${#1}; $(complete -p petstore | sed 's/.*-F \\([^ ]*\\).*/\\1/'); printf '%s\\n' "\${COMPREPLY[@]}"`,
    ...['bash', line],
  ]);

const inFish = async (line: string) =>
  (await printed(['fish', '--no-config', '-c', 'source ./fish; complete -C $argv[1]', line])).map(
    (one) => one.split('\t')[0] as string,
  );

/** Zsh offers completions only at an interactive prompt, so this script opens a prompt and types into it. */
const ZSH = `
zmodload zsh/zpty
zpty shell 'PS1=; zsh -f -i'
zpty -w shell 'PS1= PROMPT_EOL_MARK=; stty -echo 2>/dev/null; autoload -Uz compinit; compinit -u -d ./dump; source ./zsh'
zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; (( $#found )) && print -rl -- "found:"$^found >> ./found; builtin compadd "$@" }'
zpty -w shell 'zle-line-init() { print ready >> ./found }; zle -N zle-line-init'
until [[ -s ./found ]]; do sleep 0.05; done
zpty -w -n shell "$1"$'\\t'
zpty -w -n shell $'\\C-u'
zpty -w shell 'print done >> ./found'
until grep -q done ./found; do sleep 0.05; done
zpty -d shell
sed -n 's/^found://p' ./found; rm ./found
`;
const inZsh = (line: string) => printed(['zsh', '-f', '-c', ZSH, 'zsh', line]);

const OFFERED: [line: string, offered: string[]][] = [
  ['petstore pe', ['pets']],
  ['petstore keys r', ['requests', 'revoke', 'rotate']],
  ['petstore pets list --sta', ['--status']],
  ['petstore pets list --status ', ['available', 'pending', 'sold']],
  ['petstore completion ', ['bash', 'zsh', 'fish']],
  ['petstore pets import a-', ['a-key.txt']],
];

const SHELLS = [
  { shell: 'bash', complete: inBash, isSkipped: false },
  { shell: 'zsh', complete: inZsh, isSkipped: lacks('zsh') },
  { shell: 'fish', complete: inFish, isSkipped: lacks('fish') },
];

for (const { shell, complete, isSkipped } of SHELLS) {
  describe.skipIf(isSkipped)(`completion in ${shell}`, () => {
    test.each(OFFERED)('%s', async (line, offered) => {
      const found = (await complete(line)).map((one) => one.trim());
      expect([...new Set(found)].sort()).toEqual(offered.sort());
    });

    test('offers every flag after a dash', async () => {
      const flags = (await complete('petstore pets create --')).map((one) => one.trim().replace(/=$/, ''));
      expect(flags).toEqual(expect.arrayContaining(['--name', '--category-id', '--status', '--json', '--help']));
      expect(flags).not.toContain('--plan');
    });

    test('continues after the last comma of a list', async () => {
      const offered = await complete('petstore webhooks listen --types pet.created,order.pl');
      expect(offered.join(' ')).toContain('order.placed');
      expect(offered.join(' ')).not.toContain('order.approved');
    });
  });
}

describe('completion in bash', () => {
  test('keeps the text before a colon, although bash starts a new word there', async () => {
    expect(await inBash('petstore keys create --scopes pets:read,pets:w')).toEqual(['write']);
    expect(await inBash('petstore keys create --scopes ke')).toEqual(['keys:write']);
  });

  test('offers files where a flag takes a file', async () => {
    expect(await inBash('petstore pets list --key-file a-')).toEqual(['a-key.txt']);
  });

  test('offers nothing for a free-form value', async () => {
    expect(await inBash('petstore pets create --name ')).toEqual([]);
  });
});

test('an unknown shell is refused', async () => {
  await expect(completionScript('tcsh')).rejects.toThrow('no completion script for "tcsh"');
});
