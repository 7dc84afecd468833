import type { KeyWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';
import { isolated } from '../kit/text.ts';
import { API_URL } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const NewSecret = ({ issued: { name, key } }: { issued: KeyWithSecret }) => (
  <section className="secret" role="status" data-once>
    <p>
      <strong>{texts.secret.title(isolated(name))}</strong> {texts.secret.copyNow}
    </p>
    {key === null ? (
      <p>{texts.secret.lost}</p>
    ) : (
      <>
        <Code text={key} what={common.copied.key} />
        <p>{texts.secret.firstCall}</p>
        <Code text={`curl '${API_URL}/pets?limit=5' -H 'Authorization: Bearer ${key}'`} what={common.copied.command} />
      </>
    )}
  </section>
);
