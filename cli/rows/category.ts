export type Categories = readonly { id: number | bigint; name?: string | null }[];

const DIGITS = /^-?\d{1,19}$/;

/** Text that consists only of digits is always an id, even if a category has that name. */
export const isCategoryName = (text: string): boolean => !DIGITS.test(text.trim());

export const isNamed = ({ name }: Categories[number], text: string): boolean =>
  name?.trim().toLowerCase() === text.trim().toLowerCase();

export const readCategory = (categories: Categories, text: string): bigint | undefined => {
  const meant = text.trim();
  if (isCategoryName(meant)) {
    const [named, ...others] = categories.filter((category) => isNamed(category, meant));
    return named && others.length === 0 ? BigInt(named.id) : undefined;
  }
  const id = BigInt(meant);
  return BigInt.asIntN(64, id) === id ? id : undefined;
};
