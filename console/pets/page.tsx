import { useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, Plus, Upload } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useCategories } from '../categories/categories.tsx';
import { lazyPart, loadPart } from '../data/load.ts';
import { useCounts } from '../data/use-counts.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { sayError } from '../kit/overlay/toasts.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { texts as shared, titles } from '../texts.ts';
import { AddDialog } from './add-dialog.tsx';
import { TaskCards } from './bulk/task-card.tsx';
import { PetDrawer } from './drawer/pet-drawer.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, isNarrow, useAddress } from './filters.ts';
import { reloadLists } from './pet-cache.ts';
import { freshAt, PetTable } from './pet-table.tsx';
import { texts } from './texts.ts';
import { EXPORT_FORMATS, type ExportFormat } from './transfer/export-formats.ts';
import { exportPets } from './transfer/export-pets.ts';
import { keptImport } from './transfer/import-store.ts';
import { importSteps } from './transfer/own-import.ts';

// These parts load only when they are needed, so that the page stays within its size limit.
const readImportRun = () => loadPart(() => import('./transfer/import-run.ts'));
const ImportDialog = lazyPart(async () => (await import('./transfer/import-dialog.tsx')).ImportDialog);

const useExport = (filters: Filters) => {
  const { petstore } = useSession();
  const { data: counts } = useCounts();
  const categories = useCategories();
  const { status } = filters;
  const all = counts && (status ? counts[status] : counts.available + counts.pending + counts.sold);
  const total = isNarrow(filters) ? undefined : all;
  return (format: ExportFormat) => exportPets(petstore, filters, categories, format, total);
};

type ActionProps = { onDo: (what: 'add' | 'import') => void; onExport: (format: ExportFormat) => void };

/** On a phone, all actions except the primary one are in a menu, so that the buttons fit in one row. */
const Actions = ({ onDo, onExport }: ActionProps) => {
  const canWrite = useSession().can('pets:write');
  const formats = (name: (label: string) => string) =>
    EXPORT_FORMATS.map((format) => (
      <Button key={format} kind="quiet" onClick={() => onExport(format)}>
        {name(texts.exporting.formats[format])}
      </Button>
    ));
  return (
    <>
      {canWrite && (
        <Button className="wide" icon={Upload} onClick={() => onDo('import')}>
          {texts.import}
        </Button>
      )}
      <span className="wide">
        <Menu
          label={
            <>
              <Download className="icon" />
              {texts.export}
            </>
          }
        >
          {formats((label) => label)}
        </Menu>
      </span>
      <span className="narrow">
        <Menu
          className="button bare"
          label={
            <>
              <Ellipsis className="icon" />
              <span className="unseen">{shared.shell.more}</span>
            </>
          }
        >
          {canWrite && (
            <Button kind="quiet" onClick={() => onDo('import')}>
              {shared.commands.importPets}
            </Button>
          )}
          {formats(texts.commands.export)}
        </Menu>
      </span>
      {canWrite && (
        <Button kind="primary" icon={Plus} onClick={() => onDo('add')}>
          {texts.add}
        </Button>
      )}
    </>
  );
};

export const Page = () => {
  const { petstore, me, can } = useSession();
  const { filters, petId, action, change } = useAddress();
  const queries = useQueryClient();
  const nameField = useRef<HTMLInputElement>(null);
  const { data: counts } = useCounts();
  const save = useExport(filters);
  const canWrite = can('pets:write');
  useEffect(() => {
    if (canWrite && keptImport())
      void readImportRun().then(({ resumeImport }) => resumeImport(petstore, me.id), sayError);
  }, [petstore, me, canWrite]);
  const steps = useValue(importSteps);
  useEffect(() => {
    if (steps > 0) reloadLists(queries);
  }, [steps, queries]);
  // `round` is part of the table's React key. A new key recreates the table, so that it starts at the top.
  const [round, setRound] = useState(0);
  const reload = () => {
    reloadLists(queries);
    setRound(round + 1);
  };
  const close = () => change({ do: '', pet: '' });
  useCommands([
    { label: texts.commands.search, keys: '/', run: () => nameField.current?.focus() },
    ...(canWrite
      ? [
          { label: shared.commands.addPet, keys: 'n', run: () => change({ do: 'add' }) },
          { label: shared.commands.importPets, keys: 'i', run: () => change({ do: 'import' }) },
        ]
      : []),
    ...EXPORT_FORMATS.map((format) => ({
      label: texts.commands.export(texts.exporting.formats[format]),
      run: () => save(format),
    })),
  ]);
  return (
    <div className="pets">
      <PageHead title={titles.pets} note={<Updated at={useValue(freshAt)} />}>
        <Actions onDo={(what) => change({ do: what })} onExport={save} />
      </PageHead>
      <TaskCards />
      <FilterBar nameRef={nameField} counts={counts} />
      <PetTable key={`${round} ${JSON.stringify(filters)}`} filters={filters} counts={counts} onReload={reload} />
      {petId && <PetDrawer key={petId} id={petId} onClose={close} onOpen={(pet) => change({ pet })} />}
      {action === 'add' && canWrite && <AddDialog onClose={close} onAdded={reload} />}
      <Suspense>{action === 'import' && canWrite && <ImportDialog onClose={close} />}</Suspense>
    </div>
  );
};
