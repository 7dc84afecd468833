import { useCategories } from '../../categories/categories.tsx';
import { categoryName } from '../../categories/category.ts';
import { Badge, StatusBadge } from '../../kit/badge.tsx';
import { Callout } from '../../kit/callout.tsx';
import { isolated } from '../../kit/text.ts';
import { texts } from '../texts.ts';
import { type ImportRow, type ImportText, nameKey } from './import-rows.ts';

const SHOWN = 10;

type Accepted = ReadonlySet<string>;

const petOf = ({ pet, waiting }: ImportRow, accepted: Accepted) =>
  pet ?? (waiting && accepted.has(nameKey(waiting.category)) ? waiting.pet : undefined);

/** The column's heading already says that the number is a line. */
const numberOf = ({ place }: ImportRow): string => place.replace(/.*line /, '');

const Row = ({ row, accepted }: { row: ImportRow; accepted: Accepted }) => {
  const categories = useCategories();
  const pet = petOf(row, accepted);
  if (!pet) {
    return (
      <tr className="wrong">
        <td>{numberOf(row)}</td>
        <td colSpan={3}>
          <code>{row.text.slice(0, 100)}</code>
          <br />
          {row.faults.join('; ')}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td>{numberOf(row)}</td>
      <td>{pet.name}</td>
      <td>
        {row.pet ? categoryName(categories, pet.categoryId) : row.waiting?.category}{' '}
        {!row.pet && <Badge tone="good">{texts.importing.isNew}</Badge>}
      </td>
      <td>
        <StatusBadge status={pet.status ?? 'available'} />
      </td>
    </tr>
  );
};

type NewProps = {
  offered: readonly { name: string; count: number }[];
  refused: ReadonlySet<string>;
  isAllowed: boolean;
  onToggle: (name: string) => void;
};

export const NewCategories = ({ offered, refused, isAllowed, onToggle }: NewProps) => (
  <Callout tone="warn" title={texts.importing.newCategories(offered.length)}>
    {isAllowed ? texts.importing.create : texts.importing.cannotCreate}
    {isAllowed && (
      <div className="new-categories">
        {offered.map(({ name, count }) => (
          <label key={name} className="choice">
            <input type="checkbox" checked={!refused.has(name)} onChange={() => onToggle(name)} />
            {texts.importing.newCategory(isolated(name), count)}
          </label>
        ))}
      </div>
    )}
  </Callout>
);

const Rows = ({ label, rows, accepted }: { label: string; rows: readonly ImportRow[]; accepted: Accepted }) => (
  <table className="preview" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">{texts.importing.columns.place}</th>
        <th scope="col">{texts.importing.columns.name}</th>
        <th scope="col">{texts.importing.columns.category}</th>
        <th scope="col">{texts.importing.columns.status}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.place} row={row} accepted={accepted} />
      ))}
    </tbody>
  </table>
);

type Props = { file: string; text: ImportText; accepted: Accepted };

export const ImportPreview = ({ file, text: { rows, ignored }, accepted }: Props) => {
  const isWrong = (row: ImportRow) => !petOf(row, accepted);
  const wrong = rows.filter(isWrong);
  const wrongBelow = rows.slice(SHOWN).filter(isWrong).slice(0, SHOWN);
  return (
    <div className="stack">
      <p>
        {texts.importing.rows(file, rows.length)}
        {wrong.length > 0 &&
          texts.importing.toFix(
            <strong>{texts.importing.invalidRows(wrong.length)}</strong>,
            wrong.length === rows.length,
          )}
        {ignored.length > 0 && texts.importing.ignored(ignored.map(isolated))}
      </p>
      <Rows label={texts.importing.firstRows} rows={rows.slice(0, SHOWN)} accepted={accepted} />
      {rows.length > SHOWN && <p className="soft">{texts.importing.more(rows.length - SHOWN)}</p>}
      {wrongBelow.length > 0 && (
        <>
          <p>{texts.importing.furtherDown}</p>
          <Rows label={texts.importing.invalid} rows={wrongBelow} accepted={accepted} />
        </>
      )}
    </div>
  );
};
