import { ADMIN_KEY } from '../test/admin-key.ts';

const WRITERS = 8;
/** So many in a row are refused when nothing is taken any more. */
const ALL_REFUSED = 20;
const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

type Animal = { id: number; name: string };

/** Callers that add one animal after another, each with a name of its own, until they are told to stop. */
export const startWriters = (origin: string, run: string) => {
  const acknowledged: Animal[] = [];
  /** Those that were answered with 503. */
  const refused = new Set<string>();
  let [isOver, inARow] = [false, 0];

  const write = async (_: unknown, writer: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const name = `${run}, writer ${writer}, ${turn}`;
      const body = JSON.stringify({ name, categoryId: 1 });
      const answer = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body });
      const told = (await answer.json()) as Animal & { message?: string };
      // What a busy machine sheds says nothing of the disk.
      if (!told.message?.includes('overloaded')) inARow = answer.status === 503 ? inARow + 1 : 0;
      if (answer.status === 201) acknowledged.push(told);
      else if (answer.status === 503) refused.add(name);
      else throw new Error(`${answer.status}: ${JSON.stringify(told)}`);
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
    /** The names that the service shows, from the newest to the first that was acknowledged here. */
    async shown(): Promise<string[]> {
      const names: string[] = [];
      const first = acknowledged.reduce((lowest, { id }) => Math.min(lowest, id), Number.POSITIVE_INFINITY);
      for (let next: string | undefined = `${origin}/v1/pets?order=desc&limit=100`; next; ) {
        const answer: Response = await fetch(next, { headers });
        const page = (await answer.json()) as Animal[];
        names.push(...page.map(({ name }) => name));
        if ((page.at(-1)?.id ?? 0) < first) break;
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return names;
    },
  };
};
