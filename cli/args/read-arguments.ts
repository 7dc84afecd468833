import { ARGUMENTS } from '../messages.ts';
import { visible } from '../output/text.ts';
import { suggest } from './suggest.ts';

export class BadUsage extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(visible(message));
    this.hint = hint === undefined ? undefined : visible(hint);
  }
}

type Expected = {
  flags: readonly string[];
  switches?: readonly string[];
  lists?: readonly string[];
  required?: readonly string[];
  positions?: readonly string[];
  isLastOptional?: boolean;
  hint?: string;
};

export type Arguments = { values: ReadonlyMap<string, string>; switches: ReadonlySet<string>; positions: string[] };

const takeValue = (flag: string, inline: string | undefined, rest: string[], hint: string | undefined): string => {
  const value = inline ?? rest.shift();
  if (value === undefined) throw new BadUsage(ARGUMENTS.needsValue(flag), hint);
  if (inline === undefined && value.startsWith('--')) {
    throw new BadUsage(ARGUMENTS.looksLikeFlag(flag, value), hint);
  }
  return value;
};

const refuseFlag = (flag: string, { flags, switches = [], hint }: Expected): never => {
  if (switches.includes(flag)) throw new BadUsage(ARGUMENTS.takesNoValue(flag), hint);
  throw new BadUsage(ARGUMENTS.unknownFlag(flag, suggest(flag, [...flags, ...switches])), hint);
};

export const readArguments = (args: readonly string[], expected: Expected): Arguments => {
  const { flags, switches = [], lists = [], required = [] } = expected;
  const { positions: wanted = [], isLastOptional = false, hint } = expected;
  const values = new Map<string, string>();
  const on = new Set<string>();
  const positions: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, flag, inline] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    if (flag === undefined) positions.push(arg);
    else if (lists.includes(flag) && values.has(flag))
      values.set(flag, `${values.get(flag)},${takeValue(flag, inline, rest, hint)}`);
    else if (values.has(flag) || on.has(flag)) throw new BadUsage(ARGUMENTS.givenTwice(flag), hint);
    else if (flags.includes(flag)) values.set(flag, takeValue(flag, inline, rest, hint));
    else if (switches.includes(flag) && inline === undefined) on.add(flag);
    else refuseFlag(flag, expected);
  }
  const missing = [
    ...wanted.slice(positions.length, isLastOptional ? -1 : undefined).map((name) => `<${name}>`),
    ...required.filter((flag) => !values.has(flag)).map((flag) => `--${flag}`),
  ];
  if (missing.length > 0) throw new BadUsage(ARGUMENTS.missing(missing), hint);
  const [tooMany] = positions.slice(wanted.length);
  if (tooMany !== undefined) throw new BadUsage(ARGUMENTS.unexpected(tooMany), hint);
  return { values, switches: on, positions };
};
