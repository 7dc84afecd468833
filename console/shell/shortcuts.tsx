import { useValue } from '../data/value.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { texts } from '../texts.ts';
import { allCommands, areKeysOn, switchKeys } from './commands.ts';

const IN_TABLES: [keys: string, what: string][] = [
  ['Enter', texts.shortcuts.openRow],
  ['x', texts.shortcuts.selectRow],
];

export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={texts.shortcuts.title} onClose={onClose}>
    <dl className="shortcuts">
      {[
        ...allCommands().flatMap(({ keys, label }): [string, string][] => (keys ? [[keys, label]] : [])),
        ...IN_TABLES,
      ].map(([keys, label]) => (
        <div key={keys + label}>
          <dt>
            <kbd>{keys.replace('mod ', 'Ctrl ')}</kbd>
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
    <label className="choice">
      <input type="checkbox" checked={useValue(areKeysOn)} onChange={({ target }) => switchKeys(target.checked)} />
      {texts.shortcuts.areOn}
    </label>
  </Dialog>
);
