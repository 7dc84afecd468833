import { describe, expect, test } from 'bun:test';
import { beginImport, endImport, importSteps, isImported, noteImported } from './own-import.ts';

describe("a tab's own import", () => {
  test('shows its pets after the first batch and at the end, and knows them before and after', () => {
    expect(isImported(7)).toBe(false);
    beginImport();
    expect([isImported(7), importSteps.get()]).toEqual([true, 0]);
    noteImported([{ id: 7 }, { id: 8 }]);
    noteImported([{ id: 12 }]);
    expect(importSteps.get()).toBe(1);
    endImport();
    expect(importSteps.get()).toBe(2);
    expect([6, 7, 12n, 13].map(isImported)).toEqual([false, true, true, false]);
    beginImport();
    noteImported([{ id: 20 }]);
    endImport();
    expect([importSteps.get(), isImported(7), isImported(20), isImported(21)]).toEqual([4, true, true, false]);
  });
});
