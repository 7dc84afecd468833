import { useQuery } from '@tanstack/react-query';
import { ChevronRight, PawPrint, ShoppingBag } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { loadPart } from '../data/load.ts';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { ranked } from '../kit/rank.ts';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { texts } from '../texts.ts';
import { allCommands, type Command } from './commands.ts';

const MOST = 12;
const MOST_PETS = 5;
const MOST_ORDERS = 5;
/** The palette does not list the command with this shortcut, because that command opens the palette. */
const OPENED_BY = 'mod k';

const Icon = ({ of: { icon: Drawn = ChevronRight } }: { of: Command }) => <Drawn className="icon" />;

/** If a page and the shell offer the same command, the palette lists only the page's command, which has a shortcut. */
const offeredCommands = (): Command[] => {
  const commands = allCommands().filter(({ keys }) => keys !== OPENED_BY);
  return commands.filter(({ label }, index) => commands.findIndex((one) => one.label === label) === index);
};

/** Commands whose label matches come before commands that match only in `words`. */
const matching = (commands: readonly Command[], typed: string): Command[] => {
  const byLabel = ranked(commands, typed, ({ label }) => label);
  const byWords = ranked(commands, typed, ({ words = '' }) => words);
  return [...new Set([...byLabel, ...byWords])].slice(0, MOST);
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
  return data.map(({ id, name }) => ({
    label: texts.palette.pet(isolated(name), id),
    icon: PawPrint,
    run: () => go(`/pets?pet=${id}`),
  }));
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
    run: () => go(`/orders?${new URLSearchParams({ view: 'list', q: typed })}`),
  };
  if (number === undefined) return can('orders:read') && typed.length > 1 ? [search] : [];
  return data.map(({ id, status }) => ({
    label: texts.palette.order(id, status),
    icon: ShoppingBag,
    run: () => go(`/orders?order=${id}`),
  }));
};

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [commands] = useState(() => offeredCommands());
  const [orders, pets] = [useOrders(typed.trim()), usePets(typed.trim())];
  const found = [...matching(commands, typed), ...pets, ...orders];
  const choose = (command: Command | undefined) => {
    if (!command) return;
    // Some commands act on the focused element. Closing the dialog returns the focus to the page.
    flushSync(onClose);
    command.run();
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
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
          <div
            key={command.label}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(command)}
          >
            <Icon of={command} />
            <span>{command.label}</span>
            {command.keys && <kbd>{command.keys.replace('mod ', 'Ctrl ')}</kbd>}
          </div>
        ))}
        {found.length === 0 && <p className="soft">{texts.palette.none}</p>}
      </div>
    </Dialog>
  );
};
