import { describe, expect, test } from 'bun:test';
import type { CommandResult } from '../args/invocation.ts';
import { showResult } from './show-result.ts';

const show = async (result: CommandResult, { args = [] as string[], refuses = '', isMute = false } = {}) => {
  const [printed, noted]: string[][] = [[], []];
  const exitCode = await showResult(
    result,
    args,
    {},
    {
      print: async (bytes) => {
        if (refuses) throw Object.assign(new Error(refuses), { code: refuses });
        printed?.push(Buffer.from(bytes).toString());
      },
      tell: (text) => {
        if (!isMute) noted?.push(text);
        return !isMute;
      },
    },
  );
  return { exitCode, out: printed?.join(''), err: noted?.join('') };
};

const KEY: CommandResult = { exitCode: 0, out: '{"key":"ps_live_1"}', isSecret: true };

describe('the result of a command', () => {
  test('goes to standard output, and notes go to standard error', async () => {
    expect(await show({ exitCode: 0, out: 'Rex', err: 'next page' })).toEqual({
      exitCode: 0,
      out: 'Rex\n',
      err: 'next page\n',
    });
  });

  test.each(['ENOSPC', 'EPIPE'])(
    'goes to standard error if it is a secret and standard output fails with %s',
    async (refuses) => {
      const { exitCode, err } = await show(KEY, { refuses });
      expect(exitCode).toBe(1);
      expect(err).toStartWith(`${KEY.out}\npetstore: cannot write standard output: `);
      expect(err).toContain('the secret was printed above');
    },
  );

  test('is a failure if output without a secret is lost, and shows nothing twice', async () => {
    expect(await show({ exitCode: 0, out: 'Rex' }, { refuses: 'ENOSPC' })).toEqual({
      exitCode: 1,
      out: '',
      err: 'petstore: cannot write standard output: no space left on the device\n',
    });
    expect(await show({ exitCode: 2, out: 'Rex' }, { refuses: 'ENOSPC' })).toMatchObject({ exitCode: 2 });
  });

  test('succeeds if the reader has seen enough and closed the pipe', async () => {
    expect(await show({ exitCode: 0, out: 'Rex' }, { refuses: 'EPIPE' })).toEqual({ exitCode: 0, out: '', err: '' });
  });

  test('is a failure if a note is lost', async () => {
    expect(await show({ exitCode: 0, out: 'Rex', err: 'next page' }, { isMute: true })).toMatchObject({ exitCode: 1 });
    expect(await show({ exitCode: 0, out: 'Rex' }, { isMute: true })).toMatchObject({ exitCode: 0 });
  });

  test('keeps the exit code of a failure, whose message is plain text by default', async () => {
    const bad: CommandResult = { exitCode: 2, err: 'petstore: unknown flag --nmae\nTry: petstore --help' };
    expect(await show(bad)).toEqual({ exitCode: 2, out: '', err: `${bad.err}\n` });
  });

  test.each(['--json', '--ndjson'])('is an error in JSON with %s', async (flag) => {
    const bad: CommandResult = { exitCode: 2, err: 'petstore: unknown flag --nmae\nTry: petstore --help' };
    const usage = await show(bad, { args: [flag] });
    expect(JSON.parse(usage.err ?? '')).toEqual({
      code: 'bad_usage',
      message: 'unknown flag --nmae',
      try: 'petstore --help',
    });
    const problem = { code: 'not_found', status: 404, requestId: 'req_1' };
    const refused = await show({ exitCode: 1, err: 'petstore: There is no pet 7.', problem }, { args: [flag] });
    expect(JSON.parse(refused.err ?? '')).toEqual({ ...problem, message: 'There is no pet 7.' });
    const failed = await show({ exitCode: 1, err: 'petstore: cannot reach it' }, { args: [flag] });
    expect(JSON.parse(failed.err ?? '')).toEqual({ code: 'failed', message: 'cannot reach it' });
  });
});
