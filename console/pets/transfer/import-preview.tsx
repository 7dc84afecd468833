import { StatusBadge } from '../../kit/badge.tsx';
import { useCategories } from '../categories.tsx';
import { categoryName } from '../category.ts';
import { texts } from '../texts.ts';
import type { ImportRow, ImportText } from './import-rows.ts';

const SHOWN = 10;

const Row = ({ row: { place, text, pet, faults } }: { row: ImportRow }) => {
  const categories = useCategories();
  if (!pet) {
    return (
      <tr className="wrong">
        <td>{place}</td>
        <td colSpan={3}>
          <code>{text.slice(0, 100)}</code>
          <br />✕ {faults.join('; ')}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td>{place}</td>
      <td>{pet.name}</td>
      <td>{categoryName(categories, pet.categoryId)}</td>
      <td>
        <StatusBadge status={pet.status ?? 'available'} />
      </td>
    </tr>
  );
};

const Rows = ({ label, rows }: { label: string; rows: readonly ImportRow[] }) => (
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
        <Row key={row.place} row={row} />
      ))}
    </tbody>
  </table>
);

export const ImportPreview = ({ file, text: { rows } }: { file: string; text: ImportText }) => {
  const wrong = rows.filter(({ pet }) => !pet);
  const wrongBelow = rows
    .slice(SHOWN)
    .filter(({ pet }) => !pet)
    .slice(0, SHOWN);
  return (
    <div className="stack">
      <p>
        {texts.importing.rows(file, rows.length)}
        {wrong.length > 0 && texts.importing.toFix(<strong>{texts.importing.invalidRows(wrong.length)}</strong>)}
      </p>
      <Rows label={texts.importing.firstRows} rows={rows.slice(0, SHOWN)} />
      {wrongBelow.length > 0 && (
        <>
          <p>{texts.importing.furtherDown}</p>
          <Rows label={texts.importing.invalid} rows={wrongBelow} />
        </>
      )}
    </div>
  );
};
