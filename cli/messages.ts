// The messages that the command-line tool prints. Its help texts are in `commands/local-commands.ts`,
// `commands/command.ts` and the API contracts.

export const count = (number: number): string => number.toLocaleString('en-US');

export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
export const pets = (number: number): string => counted(number, 'pet');
const rows = (number: number): string => counted(number, 'row');

const and = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]+)$/, ' and $1');

const didYouMean = (guess: string | undefined): string => (guess === undefined ? '' : `; did you mean ${guess}?`);

const REASONS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space left on the device',
  EFBIG: 'the file is too large',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the file system is read-only',
  EPIPE: 'the reader closed it',
  EIO: 'the device reports an error',
  EBADF: 'it is closed',
};
const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? (code || message);
};

export const ARGUMENTS = {
  needsValue: (flag: string) => `--${flag} needs a value`,
  looksLikeFlag: (flag: string, value: string) =>
    `--${flag} needs a value; if the value is ${value}, write --${flag}=${value}`,
  takesNoValue: (flag: string) => `--${flag} takes no value`,
  givenTwice: (flag: string) => `--${flag} was given twice`,
  unknownFlag: (flag: string, guess?: string) => `unknown flag --${flag}${didYouMean(guess && `--${guess}`)}`,
  unknownCommand: (words: string, guess?: string) =>
    `unknown command "${words}"${didYouMean(guess && `petstore ${guess}`)}`,
  unknownShell: (shell: string, guess?: string) => `no completion script for "${shell}"${didYouMean(guess)}`,
  unknownEventType: (type: string, guess?: string) => `--types: unknown event type "${type}"${didYouMean(guess)}`,
  unknownColumn: (name: string, known: readonly string[], guess?: string) =>
    `--columns: unknown column "${name}"${didYouMean(guess) || ';'} known columns: ${known.join(', ')}`,
  unknownFormat: (known: readonly string[], guess?: string) =>
    `--format must be one of ${known.join(', ')}${didYouMean(guess)}`,
  missing: (names: readonly string[]) => `${and(names)} ${names.length > 1 ? 'are' : 'is'} missing`,
  unexpected: (text: string) => `unexpected argument "${text}"`,
  notAnId: (text: string) => `"${text}" is not a valid id`,
  notJson: (flag: string) => `--${flag} must be valid JSON`,
  notADuration: (flag: string, text: string) =>
    `--${flag} must be a duration such as 90s, 30m, 1h or 1d, at most 24d; got "${text}"`,
  password: (flag: string, variable: string | undefined) =>
    `--${flag} contains a password, which other users of this machine can read; set ${variable ?? 'DATABASE_URL'} in the environment instead`,
  resetWithoutDemo: '--reset-every requires --demo: only a demo store can be reset',
  badUrl: '--url must be an address such as http://127.0.0.1:8080, without a user, a query or a fragment',
  badReceiver: '--forward-to must be an address such as http://localhost:3000/hooks',
  badSecret: 'PETSTORE_WEBHOOK_SECRET must be whsec_ followed by 32 bytes in base64; unset it to generate a secret',
  badProfileName:
    '--profile must be 1 to 64 letters, digits, underscores, dots or dashes, and must not start with a dot or a dash',
};

export const FILES = {
  cannotRead: (file: string, error: unknown) => `cannot read ${file}: ${reasonOf(error)}`,
  cannotWrite: (file: string, error: unknown) => `cannot write ${file}: ${reasonOf(error)}`,
};

export const KEYS = {
  prompt: (url?: string) => (url ? `Key for ${url}: ` : 'Key: '),
  empty: 'the key is empty',
  badCharacters: 'the key contains invalid characters; copy it again',
  missing: (url: string) =>
    `no key for ${url}: log in, or set PETSTORE_API_KEY (or PETSTORE_ADMIN_KEY) to a key for this service`,
  readableByOthers: (what: string, file: string) =>
    `other users of this machine can read the ${what} in ${file}; protect the file`,
  unknownProfile: (name: string, guess?: string) => `no profile named "${name}"${didYouMean(guess)}`,
  badProfiles: (file: string) => `${file} is not a valid profiles file; remove it and log in again`,
  noHome: 'no folder to store the key in; set HOME or XDG_CONFIG_HOME',
  loggedIn: (url: string, name: string, plan: string, store: string) =>
    `Logged in to ${url} as ${name} (${plan}, store ${store}).`,
  stored: (file: string, profile: string) => `Stored in ${file} as profile ${profile}.`,
  profileHint: (profile: string) => ` Use it with --profile ${profile}.`,
  loggedOut: (profile: string) =>
    `Removed profile ${profile}. Its key still works until you revoke it (petstore keys revoke).`,
  shownOnce: (name: string) => `The ${name} is shown only once: save it now.`,
};

export const SERVICE = {
  unreachable: (url: string) =>
    `cannot reach ${url}; check that the service is running and that the address is correct (--url, PETSTORE_URL or the profile)`,
  notPetstore: (url: string, status: number | undefined) =>
    `the server at ${url} is not a petstore service (status ${status ?? 'none'}); check the address`,
  noResponse: (url: string) => `no response from ${url}; check that the service is running, then try again`,
  outcomeUnknown: (url: string) =>
    `the response from ${url} was lost, so the change may or may not have been made; check before you repeat the command`,
  retrying: (ms: number) => `Retrying in ${Math.ceil(ms / 1000)} s`,
  tryAgain: (waitMs = 0) =>
    `the same command again${waitMs > 0 ? ` in ${Math.ceil(waitMs / 1000)} s` : ''}; to see your limits, run: petstore usage get`,
  withGuess: (line: string, guess?: string) => `${line}${didYouMean(guess)}`,
};

export const OUTPUT = {
  none: 'none',
  standard: 'standard output',
  secretElsewhere: 'the change was made; the secret was printed above, to standard error, and will not be shown again',
  exists: (file: string) => `--output: ${file} exists; add --overwrite to replace it`,
  overwrite: (file: string) => `${file} exists. Replace it?`,
  notWritten: (file: string) => `nothing was written: ${file} exists`,
  confirm: (summary: string, subject: string) => `${summary}${subject}. Continue?`,
  notConfirmed: 'nothing was changed',
  hiddenColumns: (hidden: number) => `${counted(hidden, 'more column')} with --wide`,
  nextPage: (cursor: string, isTerminal: boolean) =>
    `next page: --cursor ${cursor}${isTerminal ? ', all pages: --all' : ''}`,
  exported: (number: number, file: string) => `${pets(number)} written to ${file}`,
  forwarding: (url: string, secret: string) => `Forwarding to ${url}, signed with ${secret}`,
  delivered: (status: number, ms: number) => `${status} in ${ms} ms`,
  timedOut: (ms: number) => `timed out after ${ms / 1000} s`,
  receiverUnreachable: 'cannot be reached',
};

export const IMPORT = {
  input: 'standard input',
  nothingSent: (file: string, fault: string) => `${file} ${fault}. Nothing was sent.`,
  valid: (file: string, all: number) => `${file}: ${rows(all)} checked, all valid; nothing was sent`,
  invalid: (file: string, bad: number, all: number) =>
    `${file}: ${count(bad)} of ${rows(all)} ${bad === 1 ? 'is' : 'are'} invalid; nothing was sent`,
  more: (number: number) => `  and ${counted(number, 'more row')}`,
  correct: 'correct the rows, or import the valid ones with --continue',
  continueHint: (file: string, rejected: string) =>
    `petstore pets import ${file} --continue (imports the valid rows, and writes the others to ${rejected})`,
  resume: (done: number) =>
    `${pets(done)} added so far. To resume, run the same command again within 24 hours: no pet is added twice.`,
  cancelled: 'Cancelled.',
  changed: (file: string, done: number) =>
    `${file} changed during the import, after ${pets(done)} had been added; remove those rows before you import the rest`,
  rejectedByService: (file: string) => `the service refused rows from ${file}`,
  otherBatches: (file: string, done: number) =>
    `another version of petstore imported all or part of ${file} in the last 24 hours, in different batches` +
    (done > 0 ? `; ${pets(done)} from it are in the store` : ''),
  otherVersionHint:
    'the same command with that version, so that no pet is added twice; or --again to add every pet in the file, even ' +
    'those already added',
  added: (number: number, file: string, seconds: number) =>
    `${pets(number)} added from ${file} in ${seconds.toFixed(1)} s`,
  addedBefore: (number: number) => `${count(number)} already added by an import of the same file in the last 24 hours`,
  rejectedTo: (file: string) => `the invalid rows are in ${file}`,
  cannotWriteRejected: (file: string, error: unknown) =>
    `--continue: cannot write the invalid rows to ${file}: ${reasonOf(error)}; nothing was sent`,
};
