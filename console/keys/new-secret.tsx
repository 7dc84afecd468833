import type { KeyWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { isolated } from '../kit/text.ts';
import { API_URL } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const NewSecret = ({ issued: { name, key } }: { issued: KeyWithSecret }) => (
  <ShownOnce
    title={texts.secret.title(isolated(name))}
    note={texts.secret.copyNow}
    lost={texts.secret.lost}
    secret={key}
    what={common.copied.key}
  >
    <p>{texts.secret.firstCall}</p>
    <Code text={`curl '${API_URL}/pets?limit=5' -H 'Authorization: Bearer ${key}'`} what={common.copied.command} />
  </ShownOnce>
);
