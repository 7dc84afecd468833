import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { isDestructive, OPERATIONS } from './command.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const run = async (command: string, reply: string | undefined) => {
  const questions: string[] = [];
  const environment = { PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY };
  const ask = async (question: string) => {
    questions.push(question);
    return reply;
  };
  return { ...(await runCommand(command.split(' '), environment, { ...NO_TERMINAL, ask })), questions };
};

const addPet = async (): Promise<number> => (await service.post('/v1/pets', { name: 'Rex', categoryId: 7 })).body.id;
const isThere = async (id: number) => (await service.get(`/v1/pets?ids=${id}`)).body.length === 1;

describe('a command that deletes something', () => {
  test.each(['n', 'no', '', 'yeah', 'nyes', ' '])('deletes nothing after the reply "%s", and fails', async (reply) => {
    const id = await addPet();
    const { exitCode, err, questions } = await run(`pets delete ${id}`, reply);
    expect([exitCode, err]).toEqual([1, 'petstore: nothing was changed']);
    expect(questions).toEqual([expect.stringMatching(new RegExp(`: ${id}\\. Continue\\? \\[y/N\\] $`))]);
    expect(await isThere(id)).toBe(true);
  });

  test.each(['y', 'yes', 'Y', ' YES '])('deletes after the reply "%s"', async (reply) => {
    const id = await addPet();
    const { exitCode, questions } = await run(`pets delete ${id}`, reply);
    expect([exitCode, questions.length]).toEqual([0, 1]);
    expect(await isThere(id)).toBe(false);
  });

  test('deletes without a reply if --yes is given, or if there is no user to ask', async () => {
    const [one, other] = [await addPet(), await addPet()];
    expect(await run(`pets delete ${one} --yes`, 'n')).toMatchObject({ exitCode: 0, questions: [] });
    expect(await run(`pets delete ${other}`, undefined)).toMatchObject({ exitCode: 0 });
    expect([await isThere(one), await isThere(other)]).toEqual([false, false]);
  });

  test('is one of these commands, and no other command asks', async () => {
    const asking = [...OPERATIONS.values()].filter(isDestructive).map(({ command }) => command);
    expect(asking.sort()).toEqual([
      'categories delete',
      'keys revoke',
      'pets delete',
      'sandbox reset',
      'webhooks delete',
    ]);
    expect((await run('pets create --name Rex --category-id 7', 'n')).questions).toEqual([]);
  });
});
