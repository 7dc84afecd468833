export type Finding = { part: string; state: 'ok' | 'warning' | 'wrong'; found: string; advice?: string };

type Find = (part: string, found: string, advice: string) => Finding;

export const ok = (part: string, found: string): Finding => ({ part, state: 'ok', found });
export const warning: Find = (part, found, advice) => ({ part, state: 'warning', found, advice });
export const wrong: Find = (part, found, advice) => ({ part, state: 'wrong', found, advice });

const MAX_APART_MS = 1000;

/** `read` is the time that the other clock showed when it was read, at some moment between `askedAt` and now. */
export const compareClocks = (part: string, whose: string, read: number, askedAt: number): Finding => {
  const apartMs = Math.max(askedAt - read, read - Date.now(), 0);
  if (apartMs <= MAX_APART_MS) return ok(part, `${whose} clock agrees with this machine's`);
  const seconds = (apartMs / 1000).toFixed(1);
  return warning(part, `${whose} clock differs from this machine's by ${seconds} s`, 'synchronize both with NTP');
};
