import { useState } from 'react';
import { useValue } from '../data/value.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { texts } from '../texts.ts';
import { allCommands, areKeysOn, switchKeys } from './commands.ts';

type Shortcut = readonly [keys: string, what: string];

/** Table shortcuts act on the focused row. Rows can be selected only in tables with checkboxes. */
const tableKeys = (): Shortcut[] => {
  const table = document.querySelector('[role="table"]');
  if (!table) return [];
  const selects = table.querySelector('[role="columnheader"] input[type="checkbox"]') !== null;
  return [['Enter', texts.shortcuts.openRow], ...(selects ? [['x', texts.shortcuts.selectRow] as const] : [])];
};

const isMove = (keys: string): boolean => keys.startsWith('g ');
const isEverywhere = (keys: string): boolean => keys === '?' || keys.startsWith('mod ');

const groups = (): { title: string; shortcuts: Shortcut[] }[] => {
  const known = allCommands().flatMap(({ keys, label }): Shortcut[] => (keys ? [[keys, label]] : []));
  return [
    { title: texts.shortcuts.everywhere, shortcuts: known.filter(([keys]) => isEverywhere(keys)) },
    { title: texts.shortcuts.goTo, shortcuts: known.filter(([keys]) => isMove(keys)) },
    {
      title: texts.shortcuts.here,
      shortcuts: [...known.filter(([keys]) => !isMove(keys) && !isEverywhere(keys)), ...tableKeys()],
    },
  ].filter(({ shortcuts }) => shortcuts.length > 0);
};

const Keys = ({ of }: { of: string }) =>
  of
    .replace('mod k', 'Ctrl K')
    .split(' ')
    .map((key) => <kbd key={key}>{key}</kbd>);

export const Shortcuts = ({ onClose }: { onClose: () => void }) => {
  const [shown] = useState(groups);
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose}>
      <div className="stack">
        {shown.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map(([keys, label]) => (
                <div key={keys + label}>
                  <dt>
                    <Keys of={keys} />
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label className="choice">
          <input type="checkbox" checked={useValue(areKeysOn)} onChange={({ target }) => switchKeys(target.checked)} />
          {texts.shortcuts.areOn}
        </label>
      </div>
    </Dialog>
  );
};
