import { flagOf, VARIABLES } from '../../src/config.ts';
import { ARGUMENTS } from '../messages.ts';
import { BadUsage, readArguments } from './read-arguments.ts';
import { durationMs } from './value.ts';

const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.keys(VARIABLES).flatMap((name) => {
    const flag = flagOf(name);
    return flag ? [[flag.slice('--'.length), name]] : [];
  }),
);

const PASSWORD = /:\/\/[^@/?#]*:[^@/?#]+@/;

/** The database drivers decode the names of URL parameters, so `p%61ssword` also means `password`. */
const hasPassword = (value: string): boolean =>
  PASSWORD.test(value) ||
  new URLSearchParams(value.replace(/^[^?]*/, '')).entries().some(([name, text]) => /password$/i.test(name) && text);

/** Passwords in flags are unsafe: every user of the machine can see flags, and shells save them in their history. */
const refusePassword = (flag: string, value: string): void => {
  if (hasPassword(value)) throw new BadUsage(ARGUMENTS.password(flag, FLAGS.get(flag)));
};

export type Demo = { resetEveryMs: number | undefined };
export type ServeOptions = { demo?: Demo | undefined; opens?: boolean | undefined };

const LONGEST_MS = 24 * 86_400_000;

export const readDuration = (flag: string, text: string): number => {
  const ms = durationMs(text);
  if (ms !== undefined && ms <= LONGEST_MS) return ms;
  throw new BadUsage(ARGUMENTS.notADuration(flag, text));
};

export const SETTING_FLAGS: readonly string[] = [...FLAGS.keys()];

export const readSettings = (values: ReadonlyMap<string, string>): Record<string, string> => {
  const settings: Record<string, string> = {};
  for (const [flag, value] of values) {
    refusePassword(flag, value);
    const variable = FLAGS.get(flag);
    if (variable) settings[variable] = value;
  }
  return settings;
};

export const readServeFlags = (args: readonly string[]): ServeOptions & { settings: Record<string, string> } => {
  const { values, switches } = readArguments(args, {
    flags: [...SETTING_FLAGS, 'reset-every'],
    switches: ['demo', 'open'],
  });
  const every = values.get('reset-every');
  const isDemo = switches.has('demo');
  if (every !== undefined && !isDemo) throw new BadUsage(ARGUMENTS.resetWithoutDemo);
  const resetEveryMs = every === undefined ? undefined : readDuration('reset-every', every);
  return {
    settings: readSettings(values),
    opens: switches.has('open') || undefined,
    demo: isDemo ? { resetEveryMs } : undefined,
  };
};
