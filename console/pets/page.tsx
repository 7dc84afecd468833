import { useQueryClient } from '@tanstack/react-query';
import { Plus, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCounts } from '../data/use-counts.ts';
import { Button } from '../kit/button.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { AddDialog } from './add-dialog.tsx';
import { PetDrawer } from './drawer/pet-drawer.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, isNarrow, useAddress } from './filters.ts';
import { reloadLists } from './pet-cache.ts';
import { PetTable } from './pet-table.tsx';
import { TaskCards } from './task-card.tsx';
import { texts } from './texts.ts';
import { EXPORT_FORMATS, EXPORTS, type ExportFormat } from './transfer/export-formats.ts';
import { exportPets } from './transfer/export-pets.ts';
import { ImportDialog } from './transfer/import-dialog.tsx';
import { resumeImport } from './transfer/import-run.ts';

const useExport = (filters: Filters) => {
  const { petstore } = useSession();
  const { data: counts } = useCounts();
  const { status } = filters;
  const all = counts && (status ? counts[status] : counts.available + counts.pending + counts.sold);
  const total = isNarrow(filters) ? undefined : all;
  return (format: ExportFormat) => exportPets(petstore, filters, format, total);
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
    if (canWrite) resumeImport(petstore, me.id);
  }, [petstore, me, canWrite]);
  // Changing this React key recreates the table, so that it starts at the top.
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
          { label: texts.commands.add, keys: 'n', run: () => change({ do: 'add' }) },
          { label: texts.commands.import, keys: 'i', run: () => change({ do: 'import' }) },
        ]
      : []),
    ...EXPORT_FORMATS.map((format) => ({
      label: texts.commands.export(EXPORTS[format].label),
      run: () => save(format),
    })),
  ]);
  return (
    <>
      <div className="page-head">
        <h1>{titles.pets}</h1>
        {canWrite && (
          <Button icon={Upload} onClick={() => change({ do: 'import' })}>
            {texts.import}
          </Button>
        )}
        <Menu label={texts.export}>
          {EXPORT_FORMATS.map((format) => (
            <Button key={format} kind="quiet" onClick={() => save(format)}>
              {EXPORTS[format].label}
            </Button>
          ))}
        </Menu>
        {canWrite && (
          <Button kind="primary" icon={Plus} onClick={() => change({ do: 'add' })}>
            {texts.add}
          </Button>
        )}
      </div>
      <TaskCards />
      <FilterBar nameRef={nameField} counts={counts} />
      <PetTable key={`${round} ${JSON.stringify(filters)}`} filters={filters} onReload={reload} />
      {petId && <PetDrawer key={petId} id={petId} onClose={close} />}
      {action === 'add' && canWrite && <AddDialog onClose={close} onAdded={reload} />}
      {action === 'import' && canWrite && <ImportDialog onClose={close} />}
    </>
  );
};
