import { type ReactNode, useState } from 'react';
import { common, texts } from '../../texts.ts';
import { Button } from '../button.tsx';
import { ErrorNote } from '../error-note.tsx';
import { Field } from '../field.tsx';
import { isolated } from '../text.ts';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  children: ReactNode;
  action: string;
  /** False if the user can reverse the action later. */
  isFinal?: boolean;
  keep?: string;
  typed?: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Removes differences that users cannot see: the number of spaces, and how accented letters are encoded. */
const asSeen = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

export const Confirm = ({
  title,
  children,
  action,
  isFinal = true,
  keep = common.cancel,
  typed,
  isBusy,
  error,
  onConfirm,
  onClose,
}: Props) => {
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        {typed !== undefined && (
          <Field label={texts.kit.confirmBy(isolated(typed))}>
            <input value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
          </Field>
        )}
        {error && <ErrorNote error={error} />}
        <div className="row end">
          <Button onClick={onClose}>{keep}</Button>
          <Button
            kind={isFinal ? 'danger solid' : 'primary'}
            disabled={typed !== undefined && asSeen(text) !== asSeen(typed)}
            isBusy={isBusy}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
