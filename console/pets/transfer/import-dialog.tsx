import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useMemo, useRef, useState } from 'react';
import type { Int64 } from '../../../client/src/index.ts';
import { CATEGORIES } from '../../categories/categories.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field } from '../../kit/field.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { leaveNow, useGuard } from '../../kit/overlay/leave.ts';
import { useSession } from '../../session/session.ts';
import { texts as kitTexts } from '../../texts.ts';
import { texts } from '../texts.ts';
import { ImportPreview, NewCategories } from './import-preview.tsx';
import { type ImportRow, nameKey, newCategories, readImport, withCategories } from './import-rows.ts';
import { type ImportFile, startImport } from './import-run.ts';
import { contentsOf, importedAt } from './import-store.ts';

/** Maximum size of an imported file. Users can import larger files with the command-line tool. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Includes spreadsheets, which cannot be imported, so that the dialog can explain how to save them as CSV. */
const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,.xlsx,.xls,.ods';

const useChoice = () => {
  const { petstore, me } = useSession();
  const read = async (file: File): Promise<ImportFile> => {
    if (file.size > MAX_BYTES) {
      throw new Error(texts.importing.tooLarge(file.name));
    }
    const text = await readImport(file, () => petstore.categories.list().toArray());
    return { file: file.name, contents: contentsOf(me.storeId, new Uint8Array(await file.arrayBuffer())), text };
  };
  return useMutation({ mutationFn: read });
};

const Choose = ({ onFile, error }: { onFile: (file: File) => void; error: Error | null }) => {
  const [pasted, setPasted] = useState('');
  useGuard(pasted.trim() ? kitTexts.kit.unsaved : undefined);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file) onFile(file);
    // Clears the input, so that the user can choose the same file again after correcting it.
    target.value = '';
  };
  return (
    <div className="stack">
      {error && <ErrorNote error={error} isRead />}
      <label className="dropzone">
        <Upload className="icon l" />
        <strong>{texts.importing.drop}</strong>
        <span className="soft">{texts.importing.formats}</span>
        <input type="file" className="unseen" aria-label={texts.importing.file} accept={ACCEPTED} onChange={choose} />
      </label>
      <p className="soft">{texts.importing.spreadsheet}</p>
      <Field label={texts.importing.text}>
        <textarea
          rows={4}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          placeholder={'name,category,status\nRex,Dogs,available\nMia,Cats,'}
          spellCheck={false}
        />
      </Field>
      <div className="row end">
        <Button kind="primary" disabled={!pasted.trim()} onClick={() => onFile(new File([pasted], 'pasted-rows'))}>
          {texts.importing.preview}
        </Button>
      </div>
    </div>
  );
};

/** If an attempt fails and the user tries again, the categories that were already created are reused. */
const useStart = (onStarted: () => void) => {
  const { petstore, me } = useSession();
  const queries = useQueryClient();
  const ids = useRef(new Map<string, Int64>());
  return useMutation({
    mutationFn: async ({ names, text, ...rest }: ImportFile & { names: readonly string[] }) => {
      for (const name of names) {
        if (ids.current.has(nameKey(name))) continue;
        ids.current.set(nameKey(name), (await petstore.categories.create({ name })).id);
      }
      await startImport(petstore, me.id, { ...rest, text: { ...text, rows: withCategories(text.rows, ids.current) } });
    },
    onSuccess: onStarted,
    onSettled: () => void queries.invalidateQueries({ queryKey: CATEGORIES }),
  });
};

const Check = ({ chosen, onBack, onStarted }: { chosen: ImportFile; onBack: () => void; onStarted: () => void }) => {
  const canCreate = useSession().can('categories:write');
  useGuard(kitTexts.kit.unsaved);
  const start = useStart(onStarted);
  const offered = useMemo(() => newCategories(chosen.text.rows), [chosen]);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const names = canCreate ? offered.map(({ name }) => name).filter((name) => !refused.has(name)) : [];
  const accepted = new Set(names.map(nameKey));
  const toggle = (name: string) =>
    setRefused(new Set(refused.has(name) ? [...refused].filter((one) => one !== name) : [...refused, name]));
  const isReady = ({ pet, waiting }: ImportRow) => Boolean(pet || (waiting && accepted.has(nameKey(waiting.category))));
  const count = chosen.text.rows.filter(isReady).length;
  const [before] = useState(() => importedAt(chosen.contents));
  return (
    <div className="stack">
      {before !== undefined && <Callout tone="warn" title={texts.importing.again(before)} />}
      {offered.length > 0 && (
        <NewCategories offered={offered} refused={refused} isAllowed={canCreate} onToggle={toggle} />
      )}
      <ImportPreview file={chosen.file} text={chosen.text} accepted={accepted} />
      {start.error && <ErrorNote error={start.error} />}
      <div className="row end">
        <Button onClick={onBack}>{texts.importing.chooseAnother}</Button>
        {count > 0 && (
          <Button kind="primary" isBusy={start.isPending} onClick={() => start.mutate({ ...chosen, names })}>
            {texts.importing.add(count)}
          </Button>
        )}
      </div>
    </div>
  );
};

export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const choice = useChoice();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) choice.mutate(file);
  };
  return (
    <Dialog title={choice.data ? texts.importing.check : texts.importing.dialog} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input offers the same action. */}
      <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {choice.data ? (
          <Check chosen={choice.data} onBack={choice.reset} onStarted={() => leaveNow(onClose)} />
        ) : (
          <Choose onFile={choice.mutate} error={choice.error} />
        )}
      </div>
    </Dialog>
  );
};
