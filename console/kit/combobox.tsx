import { ChevronDown } from 'lucide-react';
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { texts } from '../texts.ts';
import { ranked } from './rank.ts';

export type Choice = { value: string; note?: string };

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list'> & {
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
};

const MOST = 100;
const GAP_PX = 4;
const HEIGHT_PX = 240;

/**
 * The list is a popover, so that no dialog or drawer clips it. It opens upwards if it does not fit below and there is
 * more room above.
 */
const placeList = (list: HTMLElement, input: HTMLElement): void => {
  const { left, top, bottom, width } = input.getBoundingClientRect();
  const [above, below] = [top - 2 * GAP_PX, innerHeight - bottom - 2 * GAP_PX];
  const isUp = below < HEIGHT_PX && above > below;
  Object.assign(list.style, {
    left: `${left}px`,
    width: `${width}px`,
    top: isUp ? 'auto' : `${bottom + GAP_PX}px`,
    bottom: isUp ? `${innerHeight - top + GAP_PX}px` : 'auto',
    maxHeight: `${Math.min(HEIGHT_PX, isUp ? above : below)}px`,
  });
};

const usePopup = (list: RefObject<HTMLElement | null>, input: RefObject<HTMLElement | null>, isShown: boolean): void =>
  useLayoutEffect(() => {
    const [popup, field] = [list.current, input.current];
    if (!isShown || !popup || !field) return;
    popup.showPopover();
    const place = () => placeList(popup, field);
    place();
    addEventListener('resize', place);
    // The field may be in a dialog or drawer that scrolls. Scroll events do not bubble, so the listener captures them.
    addEventListener('scroll', place, { capture: true });
    return () => {
      removeEventListener('resize', place);
      removeEventListener('scroll', place, { capture: true });
      popup.hidePopover();
    };
  }, [list, input, isShown]);

const Options = ({
  id,
  choices,
  at,
  onChoose,
}: {
  id: string;
  choices: readonly Choice[];
  at: number;
  onChoose: (choice: Choice) => void;
}) =>
  choices.map((choice, index) => (
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
    <div
      key={choice.value}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === at}
      ref={(option) => {
        if (index === at) option?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={() => onChoose(choice)}
    >
      <span className="cut">{choice.value}</span>
      {choice.note && <span className="soft push">{choice.note}</span>}
    </div>
  ));

/** A text field with suggestions. The user can also type a value that is not in the list. */
export const Combobox = ({ value, choices, onChange, ...rest }: Props) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [openedBy, setOpenedBy] = useState<'typing' | 'choice'>();
  const [at, setAt] = useState(-1);
  const isChosen = choices.some((choice) => choice.value === value);
  const shown = ranked(choices, isChosen ? '' : value, (choice) => choice.value).slice(0, MOST);
  const meant = value.trim().toLowerCase();
  // The list is hidden when the typed text is already one of the choices, so that it does not cover the buttons below.
  const isWhole = openedBy === 'typing' && choices.some((choice) => choice.value.toLowerCase() === meant);
  const isShown = openedBy !== undefined && shown.length > 0 && !isWhole;
  usePopup(list, input, isShown);
  const close = () => setOpenedBy(undefined);
  const open = (next: number) => {
    setOpenedBy('choice');
    setAt(next);
  };
  const choose = (choice: Choice) => {
    onChange(choice.value);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const active = isShown ? shown[at] : undefined;
    if (step && isShown) setAt((at + step + shown.length) % shown.length);
    else if (step) open(0);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Escape' && isShown) close();
    else {
      // Enter sends the form, unless an option is active.
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
  };
  return (
    <span className="combobox">
      <input
        autoComplete="off"
        {...rest}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setOpenedBy('typing');
          setAt(-1);
        }}
        onClick={() => open(-1)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <ChevronDown className="icon s" />
      {/* Without `preventDefault`, the field would lose the focus, and the list would close before the click. */}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={texts.palette.results}
        popover="manual"
        className="options"
        onMouseDown={(event) => event.preventDefault()}
      >
        {isShown && <Options id={id} choices={shown} at={at} onChoose={choose} />}
      </div>
    </span>
  );
};
