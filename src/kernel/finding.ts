export type Finding = { part: string; state: 'ok' | 'warning' | 'wrong'; found: string; advice?: string };

type Find = (part: string, found: string, advice: string) => Finding;

export const ok = (part: string, found: string): Finding => ({ part, state: 'ok', found });
export const warning: Find = (part, found, advice) => ({ part, state: 'warning', found, advice });
export const wrong: Find = (part, found, advice) => ({ part, state: 'wrong', found, advice });
