import { visible } from './visible.ts';

/** The command line cannot be understood; the message says why, in one line whatever the arguments hold. */
export class BadUsage extends Error {
  constructor(message: string) {
    super(visible(message));
  }
}

type Expected = {
  /** Flags that take a value, and switches that take none, without their dashes. */
  flags: readonly string[];
  switches?: readonly string[];
  /** The names of what stands without a flag. All of it has to be given. */
  positions?: readonly string[];
  /** Whether the last of them may be left out. */
  isLastOptional?: boolean;
};

type Arguments = { values: ReadonlyMap<string, string>; switches: ReadonlySet<string>; positions: string[] };

const takeValue = (flag: string, inline: string | undefined, rest: string[]): string => {
  const value = inline ?? rest.shift();
  if (value === undefined) throw new BadUsage(`--${flag} needs a value`);
  if (inline === undefined && value.startsWith('--')) {
    throw new BadUsage(`--${flag} needs a value; if it is meant to be ${value}, write --${flag}=${value}`);
  }
  return value;
};

/** `--name value` or `--name=value`, each at most once. A single dash starts a value: -5 is a number like any other. */
export const readArguments = (args: readonly string[], expected: Expected): Arguments => {
  const { flags, switches = [], positions: wanted = [], isLastOptional = false } = expected;
  const values = new Map<string, string>();
  const on = new Set<string>();
  const positions: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, flag, inline] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    if (flag === undefined) positions.push(arg);
    else if (values.has(flag) || on.has(flag)) throw new BadUsage(`--${flag} is given twice`);
    else if (flags.includes(flag)) values.set(flag, takeValue(flag, inline, rest));
    else if (switches.includes(flag) && inline === undefined) on.add(flag);
    else throw new BadUsage(switches.includes(flag) ? `--${flag} takes no value` : `there is no flag --${flag} here`);
  }
  const missing = wanted.slice(0, isLastOptional ? -1 : undefined)[positions.length];
  if (missing !== undefined) throw new BadUsage(`<${missing}> is missing`);
  if (positions.length > wanted.length) throw new BadUsage(`"${positions[wanted.length]}" is one argument too many`);
  return { values, switches: on, positions };
};
