/** What a look at one part of the surroundings has found. `wrong` keeps the service from working, `warning` does not yet. */
export type Finding = {
  part: string;
  state: 'ok' | 'warning' | 'wrong';
  found: string;
  /** What to do about it. */
  advice?: string;
};

export const ok = (part: string, found: string): Finding => ({ part, state: 'ok', found });
export const warning = (part: string, found: string, advice: string): Finding => ({
  part,
  state: 'warning',
  found,
  advice,
});
export const wrong = (part: string, found: string, advice: string): Finding => ({
  part,
  state: 'wrong',
  found,
  advice,
});
