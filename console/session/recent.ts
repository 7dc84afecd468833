export type RecentItem = { label: string; to: string };

const PLACE = 'petstore-recent';
const MOST = 5;

type Kept = Record<string, readonly RecentItem[]>;

const read = (): Kept => JSON.parse(sessionStorage.getItem(PLACE) ?? '{}');

/** Items that the user of this key opened from the command menu in this tab, with the latest first. */
export const recentItems = (keyId: string): readonly RecentItem[] => read()[keyId] ?? [];

/** A key works in only one store, so its id also separates the stores. */
export const addRecent = (keyId: string, item: RecentItem): void => {
  const others = recentItems(keyId).filter(({ to }) => to !== item.to);
  sessionStorage.setItem(PLACE, JSON.stringify({ ...read(), [keyId]: [item, ...others].slice(0, MOST) }));
};

export const forgetRecent = (): void => sessionStorage.removeItem(PLACE);
