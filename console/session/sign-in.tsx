import type { Key } from '../../client/src/index.ts';
import { Brand } from '../shell/navigation.tsx';
import { texts } from '../texts.ts';
import { KeyForm } from './key-form.tsx';
import { ENVIRONMENT, ROOT_URL } from './session.ts';

export const SignIn = ({ onSignIn }: { onSignIn: (secret: string, me: Key) => void }) => (
  <div className="door">
    <main>
      <Brand />
      <div className="card">
        <div>
          <h1>{texts.signIn.title}</h1>
          <p className="soft">{texts.signIn.intro}</p>
        </div>
        <KeyForm action={texts.signIn.signIn} onKey={onSignIn} />
        <hr />
        <p className="soft">
          {ENVIRONMENT === 'staging' ? texts.signIn.testKey : `${texts.signIn.noKey} ${texts.signIn.firstKey}`}
        </p>
      </div>
    </main>
    <footer>
      <a href={`${ROOT_URL}/docs`}>{texts.signIn.reference}</a>
      <a href={`${ROOT_URL}/docs#guide-keys`}>{texts.signIn.help}</a>
    </footer>
  </div>
);
