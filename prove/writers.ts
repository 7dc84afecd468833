import { ADMIN_KEY } from '../test/admin-key.ts';

const WRITERS = 8;
const ALL_REFUSED = 20;
const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

type Pet = { id: number; name: string };

export const startWriters = (origin: string, run: string) => {
  const acknowledged: Pet[] = [];
  const refused = new Set<string>();
  let [isOver, inARow] = [false, 0];

  const write = async (_: unknown, writer: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const name = `${run}, writer ${writer}, ${turn}`;
      const body = JSON.stringify({ name, categoryId: 1 });
      const answer = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body });
      const seen = (await answer.json()) as Pet & { message?: string };
      // Ignores overload refusals, because they are not caused by the disk.
      if (!seen.message?.includes('overloaded')) inARow = answer.status === 503 ? inARow + 1 : 0;
      if (answer.status === 201) acknowledged.push(seen);
      else if (answer.status === 503) refused.add(name);
      else throw new Error(`${answer.status}: ${JSON.stringify(seen)}`);
    }
  };
  const writing = Array.from({ length: WRITERS }, write);

  return {
    acknowledged,
    refused,
    isRefused: () => inARow >= ALL_REFUSED,
    async stop() {
      isOver = true;
      await Promise.all(writing);
    },
    async shown(): Promise<string[]> {
      const names: string[] = [];
      const first = acknowledged.reduce((lowest, { id }) => Math.min(lowest, id), Number.POSITIVE_INFINITY);
      for (let next: string | undefined = `${origin}/v1/pets?order=desc&limit=100`; next; ) {
        const answer: Response = await fetch(next, { headers });
        const page = (await answer.json()) as Pet[];
        names.push(...page.map(({ name }) => name));
        if ((page.at(-1)?.id ?? 0) < first) break;
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return names;
    },
  };
};
