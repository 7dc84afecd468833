import { StatusBadge } from '../../kit/badge.tsx';
import { useCategories } from '../categories.tsx';
import { categoryName } from '../category.ts';
import type { ImportRow, ImportText } from './import-rows.ts';

/** Maximum valid rows and maximum faulty rows in the preview. */
const SHOWN = 10;

const Row = ({ row: { line, text, pet, faults } }: { row: ImportRow }) => {
  const categories = useCategories();
  if (!pet) {
    return (
      <tr className="wrong">
        <td>{line}</td>
        <td colSpan={3}>
          <code>{text.slice(0, 100)}</code>
          <br />✕ {faults.join('; ')}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td>{line}</td>
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
        <th scope="col">line</th>
        <th scope="col">name</th>
        <th scope="col">category</th>
        <th scope="col">status</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.line} row={row} />
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
        {file}: {rows.length.toLocaleString('en')} {rows.length === 1 ? 'row' : 'rows'}
        {wrong.length > 0 && (
          <>
            , of which <strong>{wrong.length.toLocaleString('en')} cannot be taken</strong> and will be in a file for
            you to mend
          </>
        )}
        .
      </p>
      <Rows label="The first rows" rows={rows.slice(0, SHOWN)} />
      {wrongBelow.length > 0 && (
        <>
          <p>Further down:</p>
          <Rows label="Wrong rows" rows={wrongBelow} />
        </>
      )}
    </div>
  );
};
