import { createContext, use, useEffect } from 'react';
import { createValue } from '../../data/value.ts';

/** `scope` is the dialog or drawer that contains the unsaved work. */
type Guard = { scope: string; question: string };

const guards = new Set<Guard>();
export const asked = createValue<{ question: string; go: () => void } | undefined>(undefined);
let isLeaving = false;

export const ScopeContext = createContext('page');

const keepTab = (event: BeforeUnloadEvent): void => event.preventDefault();

/** While `question` is set, the user must confirm before closing the dialog, drawer, page or tab. */
export const useGuard = (question: string | undefined): void => {
  const scope = use(ScopeContext);
  useEffect(() => {
    if (question === undefined) return;
    const guard = { scope, question };
    guards.add(guard);
    addEventListener('beforeunload', keepTab);
    return () => {
      guards.delete(guard);
      if (guards.size === 0) removeEventListener('beforeunload', keepTab);
    };
  }, [scope, question]);
};

/** Calls `go` without asking the user, who has just confirmed or has finished the work. */
export const leaveNow = (go: () => void): void => {
  isLeaving = true;
  try {
    go();
  } finally {
    isLeaving = false;
  }
};

export const isGuarded = (): boolean => guards.size > 0;

export const leave = (go: () => void, scope?: string): void => {
  const guard = [...guards].find((one) => scope === undefined || one.scope === scope);
  if (isLeaving || !guard) go();
  else asked.set({ question: guard.question, go });
};
