import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Brand } from '../shell/navigation.tsx';
import { texts } from '../texts.ts';
import { connect, ENVIRONMENT, keepKey, ROOT_URL } from './session.ts';

const KeyField = ({ error }: { error: string | undefined }) => {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const prefix = ENVIRONMENT === 'staging' ? 'ps_test_' : 'ps_live_';
  return (
    <div className="field">
      <label htmlFor={id}>{texts.signIn.key}</label>
      <span className="input">
        <KeyRound className="icon" />
        <input
          id={id}
          name="key"
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          required
          // biome-ignore lint/a11y/noAutofocus: the key is the only input on this page.
          autoFocus
          aria-describedby={`${id}-said`}
          aria-invalid={error !== undefined}
        />
        <Button
          kind="quiet"
          icon={isShown ? EyeOff : Eye}
          aria-label={texts.signIn.showKey}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </span>
      <p id={`${id}-said`} className={error ? 'said bad' : 'said'} role={error ? 'alert' : undefined}>
        {error ?? texts.signIn.hint(<code>{prefix}</code>)}
      </p>
    </div>
  );
};

export const SignIn = ({ onSignIn }: { onSignIn: (secret: string, me: Key) => void }) => {
  const signIn = useMutation({
    mutationFn: async (secret: string) => ({ secret, me: await connect(secret, 0).keys.me() }),
    onSuccess: ({ secret, me }) => {
      keepKey(secret);
      onSignIn(secret, me);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(String(new FormData(event.currentTarget).get('key')).trim());
  };
  return (
    <div className="door">
      <main>
        <Brand />
        <div className="card">
          <div>
            <h1>{texts.signIn.title}</h1>
            <p className="soft">{texts.signIn.intro}</p>
          </div>
          <form onSubmit={submit}>
            <KeyField error={signIn.error?.message} />
            <Button kind="primary" type="submit" isBusy={signIn.isPending}>
              {texts.signIn.signIn}
            </Button>
          </form>
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
};
