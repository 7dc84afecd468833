import type { Int64, KeyWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';
import { isolated } from '../kit/text.ts';
import { API_URL } from '../session/session.ts';

/** The secret of a key, which is shown only once. */
export const NewSecret = ({ issued: { name, key } }: { issued: KeyWithSecret<Int64> }) => (
  <section className="secret" role="status" data-once>
    <p>
      <strong>This is the key of {isolated(name)}, shown this once.</strong> Copy it now: the service keeps its hash
      alone.
    </p>
    {key === null ? (
      <p>The answer that showed it was lost. Rotate the key to see a new one.</p>
    ) : (
      <>
        <Code text={key} what="the key" />
        <p>A first call with it:</p>
        <Code text={`curl '${API_URL}/pets?limit=5' -H 'Authorization: Bearer ${key}'`} what="the command" />
      </>
    )}
  </section>
);
