import { useQuery } from '@tanstack/react-query';
import { ChevronRight, PawPrint, ShoppingBag } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useSearch } from 'wouter';
import { loadPart } from '../data/load.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { ranked } from '../kit/rank.ts';
import { Ends } from '../kit/table/ends.tsx';
import { isolated } from '../kit/text.ts';
import { PAGES } from '../pages.ts';
import { addRecent, recentItems } from '../session/recent.ts';
import { useSession } from '../session/session.ts';
import { common, texts, titles } from '../texts.ts';
import { allCommands, type Command } from './commands.ts';

const MOST = 12;
const MOST_PETS = 5;
const MOST_ORDERS = 5;
/** The palette does not list the command with this shortcut, because that command opens the palette. */
const OPENED_BY = 'mod k';

type OptionProps = { command: Command; index: number; isActive: boolean; onChoose: () => void };

const Option = ({ command, index, isActive, onChoose }: OptionProps) => {
  const { label, keys, icon: Icon = ChevronRight } = command;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
    <div id={`palette-${index}`} role="option" aria-selected={isActive} onClick={onChoose}>
      <Icon className="icon" />
      <Ends text={label} />
      {keys && <kbd>{keys.replace('mod ', 'Ctrl ')}</kbd>}
    </div>
  );
};

/** If a page and the shell offer the same command, the palette lists only the page's command, which has a shortcut. */
const offeredCommands = (): Command[] => {
  const commands = allCommands().filter(({ keys }) => keys !== OPENED_BY);
  return commands.filter(({ label }, index) => commands.findIndex((one) => one.label === label) === index);
};

/** Commands whose label matches come before commands that match only in `words`. */
const matching = (commands: readonly Command[], typed: string): readonly Command[] => {
  if (typed.trim() === '') return commands;
  const byLabel = ranked(commands, typed, ({ label }) => label);
  const byWords = ranked(commands, typed, ({ words = '' }) => words);
  return [...new Set([...byLabel, ...byWords])].slice(0, MOST);
};

/** The last items that the user opened from this menu, without the item that is already open. */
const useRecent = (): Command[] => {
  const { me, can } = useSession();
  const [path, go] = useLocation();
  const search = useSearch();
  const here = search ? `${path}?${search}` : path;
  return recentItems(me.id).flatMap(({ label, to }) => {
    const page = PAGES.find((one) => one.path === to.split('?')[0]);
    if (to === here || !page || (page.scope && !can(page.scope))) return [];
    return { label, icon: page.icon, group: texts.palette.recent, to, run: () => go(to) };
  });
};

const usePets = (typed: string): Command[] => {
  const { petstore, can } = useSession();
  const [, go] = useLocation();
  const { data = [] } = useQuery({
    queryKey: ['pets', 'palette', typed],
    queryFn: async ({ signal }) => {
      // `name` finds names that begin with the text. `search` finds the text anywhere in a name, so its first few
      // results might not include the names that begin with the text.
      const pages = await Promise.all(
        [{ name: typed }, { search: typed }].map((filter) =>
          petstore.pets.list({ ...filter, limit: MOST_PETS }, { signal }).page(),
        ),
      );
      const found = new Map(pages.flatMap(({ items }) => items.map((pet) => [String(pet.id), pet])));
      const pets = [...found.values()];
      return [...new Set([...ranked(pets, typed, ({ name }) => name), ...pets])].slice(0, MOST_PETS);
    },
    enabled: can('pets:read') && typed.length > 1,
  });
  return data.map(({ id, name }) => {
    const to = `/pets?pet=${id}`;
    const label = texts.palette.pet(isolated(name), id);
    return { label, icon: PawPrint, group: titles.pets, to, run: () => go(to) };
  });
};

/** Finds orders only by number. A search by name costs a request per matching pet, so the palette only links to it. */
const useOrders = (typed: string): Command[] => {
  const { petstore, can } = useSession();
  const [, go] = useLocation();
  const number = /^(?:order |#)?(\d{1,18})$/i.exec(typed)?.[1];
  const { data = [] } = useQuery({
    queryKey: ['orders', 'palette', number],
    queryFn: async () => {
      const { findOrders } = await loadPart(() => import('../orders/find-orders.ts'));
      return (await findOrders(petstore, number ?? '', false)).slice(0, MOST_ORDERS);
    },
    enabled: can('orders:read') && number !== undefined,
  });
  const search = {
    label: texts.palette.searchOrders(typed),
    icon: ShoppingBag,
    group: titles.orders,
    run: () => go(`/orders?${new URLSearchParams({ view: 'list', q: typed })}`),
  };
  if (number === undefined) return can('orders:read') && typed.length > 1 ? [search] : [];
  return data.map(({ id, status }) => {
    const to = `/orders?order=${id}`;
    const label = texts.palette.order(id, status);
    return { label, name: common.orderTitle(id), icon: ShoppingBag, group: titles.orders, to, run: () => go(to) };
  });
};

/** The group with the best match comes first. */
const useGroups = (typed: string): [title: string, commands: Command[]][] => {
  const [commands] = useState(offeredCommands);
  const [recent, orders, pets] = [useRecent(), useOrders(typed.trim()), usePets(typed.trim())];
  const first = typed.trim() === '' ? recent : [];
  const others = [...matching(commands, typed), ...pets, ...orders];
  const found = [...first, ...others.filter(({ to }) => !to || first.every((one) => one.to !== to))];
  return [...Map.groupBy(found, ({ group = texts.palette.actions }) => group)];
};

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const { me } = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const groups = useGroups(typed);
  const found = groups.flatMap(([, commands]) => commands);
  useLayoutEffect(() => {
    document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    const { label, name = label, to, run } = command;
    if (to) addRecent(me.id, { label: name, to });
    // Some commands act on the focused element, so the dialog closes first, which returns the focus to the page.
    flushSync(onClose);
    run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={texts.shell.search} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={texts.shell.search}
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder={texts.palette.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-found" role="listbox" aria-label={texts.palette.results} className="palette">
        {groups.map(([title, commands]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group the options of a listbox.
          <div key={title} role="group" aria-label={title}>
            <div className="group-title" aria-hidden="true">
              {title}
            </div>
            {commands.map((command) => (
              <Option
                key={command.label}
                command={command}
                index={found.indexOf(command)}
                isActive={command === found[at]}
                onChoose={() => choose(command)}
              />
            ))}
          </div>
        ))}
        {found.length === 0 && <p className="soft">{texts.palette.none}</p>}
      </div>
    </Dialog>
  );
};
