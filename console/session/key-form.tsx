import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { Key } from '../../client/src/index.ts';
import { messageOf } from '../data/error-message.ts';
import { Button } from '../kit/button.tsx';
import { texts } from '../texts.ts';
import { holdKey, shareKeys } from './keyring.ts';
import { connect, ENVIRONMENT } from './session.ts';

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

type Props = { action: string; onKey: (secret: string, me: Key) => void };

export const KeyForm = ({ action, onKey }: Props) => {
  const check = useMutation({
    mutationFn: async (secret: string) => ({ secret, me: await connect(secret, 0).keys.me() }),
    onSuccess: ({ secret, me }) => {
      holdKey(secret, me);
      onKey(secret, me);
      shareKeys();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    check.mutate(String(new FormData(event.currentTarget).get('key')).trim());
  };
  return (
    <form className="stack" onSubmit={submit} onChange={() => check.error && check.reset()}>
      <KeyField error={check.error ? messageOf(check.error, true) : undefined} />
      <Button kind="primary" type="submit" isBusy={check.isPending}>
        {action}
      </Button>
    </form>
  );
};
