import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Paw } from '../kit/paw.tsx';
import { texts } from '../texts.ts';
import { connect, ENVIRONMENT, keepKey, ROOT_URL } from './session.ts';

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
    <main className="sign-in">
      <h1>
        <Paw /> {texts.shell.product}
      </h1>
      <form className="card stack" onSubmit={submit}>
        <Field
          label={texts.signIn.key}
          hint={ENVIRONMENT === 'staging' ? texts.signIn.stagingHint : texts.signIn.hint}
          error={signIn.error?.message}
        >
          {/* biome-ignore lint/a11y/noAutofocus: the key is the only input on this page. */}
          <input name="key" type="password" autoComplete="off" spellCheck={false} required autoFocus />
        </Field>
        <Button kind="primary" type="submit" isBusy={signIn.isPending}>
          {texts.signIn.signIn}
        </Button>
      </form>
      <p>
        <a href={`${ROOT_URL}/docs#guide-keys`}>{texts.signIn.help}</a>
      </p>
    </main>
  );
};
