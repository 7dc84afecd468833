import { PawPrint } from 'lucide-react';
import { Button } from '../kit/button.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useSession } from '../session/session.ts';
import { texts as shared } from '../texts.ts';
import { type Filters, isNarrow, useAddress } from './filters.ts';
import { texts } from './texts.ts';

type Props = { filters: Filters; onMore: (() => void) | undefined };

export const NoPets = ({ filters, onMore }: Props) => {
  const { can } = useSession();
  const { change } = useAddress();
  if (filters.status || isNarrow(filters)) {
    return (
      <EmptyState
        title={onMore ? texts.empty.unfinishedTitle : texts.empty.filteredTitle}
        action={
          onMore ? (
            <Button onClick={onMore}>{texts.empty.more}</Button>
          ) : (
            <Button onClick={() => change({ status: '', categoryId: '', name: '', ids: '' })}>
              {texts.empty.clear}
            </Button>
          )
        }
      >
        {texts.empty.filteredText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={PawPrint}
      title={texts.empty.title}
      action={
        can('pets:write') && (
          <div className="row">
            <Button kind="tint" onClick={() => change({ do: 'add' })}>
              {texts.empty.add}
            </Button>
            <Button onClick={() => change({ do: 'import' })}>{shared.commands.importPets}</Button>
          </div>
        )
      }
    >
      {texts.empty.text}
    </EmptyState>
  );
};
