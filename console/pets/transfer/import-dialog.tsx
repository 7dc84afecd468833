import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type DragEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field } from '../../kit/field.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { useSession } from '../../session/session.ts';
import { texts } from '../texts.ts';
import { ImportPreview } from './import-preview.tsx';
import { type ImportText, readImport } from './import-rows.ts';
import { startImport } from './import-run.ts';

/** Maximum size of a file in bytes. Users can import larger files with the command-line tool. */
const MAX_BYTES = 64 * 1024 * 1024;

type Chosen = { file: string; text: ImportText };

const useChoice = () => {
  const { petstore } = useSession();
  const read = async (file: File): Promise<Chosen> => {
    if (file.size > MAX_BYTES) {
      throw new Error(texts.importing.tooLarge(file.name));
    }
    return { file: file.name, text: await readImport(file, () => petstore.categories.list().toArray()) };
  };
  return useMutation({ mutationFn: read });
};

const Choose = ({ onFile, error }: { onFile: (file: File) => void; error: Error | null }) => {
  const [pasted, setPasted] = useState('');
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file) onFile(file);
    // Clears the input, so that the user can choose the same file again after correcting it.
    target.value = '';
  };
  return (
    <div className="stack">
      <p>{texts.importing.intro}</p>
      <Field label={texts.importing.file}>
        <input type="file" accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl" onChange={choose} />
      </Field>
      <Field label={texts.importing.text}>
        <textarea
          rows={6}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          placeholder={'name,category,status\nRex,Dogs,available\nMia,Cats,'}
          spellCheck={false}
        />
      </Field>
      {error && <ErrorNote error={error} />}
      <div className="row end">
        <Button kind="primary" disabled={!pasted.trim()} onClick={() => onFile(new File([pasted], 'pasted-rows'))}>
          {texts.importing.preview}
        </Button>
      </div>
    </div>
  );
};

export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const { petstore, me } = useSession();
  const choice = useChoice();
  const start = useMutation({
    mutationFn: ({ file, text }: Chosen) => startImport(petstore, me.id, file, text),
    onSuccess: onClose,
  });
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) choice.mutate(file);
  };
  return (
    <Dialog title={texts.importing.dialog} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input offers the same. */}
      <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {choice.data ? (
          <>
            <ImportPreview file={choice.data.file} text={choice.data.text} />
            {start.error && <ErrorNote error={start.error} />}
            <ImportActions
              count={choice.data.text.rows.filter(({ pet }) => pet).length}
              isBusy={start.isPending}
              onBack={choice.reset}
              onStart={() => start.mutate(choice.data)}
            />
          </>
        ) : (
          <Choose onFile={choice.mutate} error={choice.error} />
        )}
      </div>
    </Dialog>
  );
};

type Actions = { count: number; isBusy: boolean; onBack: () => void; onStart: () => void };

const ImportActions = ({ count, isBusy, onBack, onStart }: Actions) => (
  <div className="row end">
    <Button onClick={onBack}>{texts.importing.chooseAnother}</Button>
    {count > 0 && (
      <Button kind="primary" isBusy={isBusy} onClick={onStart}>
        {texts.importing.add(count)}
      </Button>
    )}
  </div>
);
