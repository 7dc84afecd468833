import { type ComponentProps, useId } from 'react';
import { useCategories } from './categories.ts';

/** A category by its name or its number, with those that are known offered. */
export const CategoryInput = (props: ComponentProps<'input'>) => {
  const list = useId();
  return (
    <>
      <input autoComplete="off" {...props} list={list} />
      <datalist id={list}>
        {useCategories().map(({ id, name }) => (
          <option key={String(id)} value={name ?? String(id)} label={name ? `${id}` : 'no name yet'} />
        ))}
      </datalist>
    </>
  );
};
