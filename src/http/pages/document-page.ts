import type { Clock } from '../../kernel/clock.ts';
import { lazy } from './lazy.ts';
import type { Page } from './page-checks.ts';
import { answerShared, type SharedBody, shareBody } from './shared-body.ts';

/** The Host is the caller's choice: for so many addresses the document is kept, and no more are made within an hour. */
const MOST_BASES = 16;
const HOUR_MS = 3_600_000;

/** Any browser's tool may load it: it says nothing that depends on who asks. */
const HEADERS = {
  'Content-Type': 'application/json;charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};

/** With addresses below that of the service. */
export type Document = { servers: readonly { url: string }[] };

type Deps = {
  /** Makes the OpenAPI document; asked once, for whoever wants to see it first. */
  makeDocument: () => Promise<Document>;
  clock: Clock;
};

/** The OpenAPI document, which names the address it is read at; relative, which is right everywhere, where those are too many. */
export const createDocumentPage = ({ makeDocument, clock }: Deps): Page => {
  const document = lazy(makeDocument);
  const bodyFor = (base: string) =>
    lazy(async () => {
      const { servers, ...rest } = await document();
      const placed = servers.map((server) => ({ ...server, url: base + server.url }));
      const text = JSON.stringify({ ...rest, servers: placed });
      return shareBody(new Blob([text]));
    });
  const relative = bodyFor('');
  const bodies = new Map<string, () => Promise<SharedBody>>();
  let emptiedAt = clock();

  const bodyAt = (base: string): Promise<SharedBody> => {
    const kept = bodies.get(base);
    if (kept) return kept();
    if (clock() - emptiedAt > HOUR_MS) {
      bodies.clear();
      emptiedAt = clock();
    }
    if (base === '' || bodies.size >= MOST_BASES) return relative();
    const made = bodyFor(base);
    bodies.set(base, made);
    return made();
  };

  return { show: async ({ request, base }) => answerShared(request, await bodyAt(base), HEADERS) };
};
