// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { BrokenRules } from './rule.ts';

export const CLI: readonly BrokenRules[] = [
  {
    file: 'cli/args/value.ts',
    tests: ['cli/args/value.test.ts'],
    changes: [
      ['`90d` is 9 days', String.raw`/^([1-9]\d{0,6})([smhd])$/`, String.raw`/^([1-9])\d{0,6}([smhd])$/`],
      ['a day has 23 hours', 'd: 86_400_000', 'd: 82_800_000'],
      ['a minute is a second', 'm: 60_000', 'm: 1000'],
      ['a duration leads into the past', 'new Date(now + ms)', 'new Date(now - ms)'],
      ['a date means noon', "minutes = '00:00'", "minutes = '12:00'"],
      ['the time zone is ignored', '${seconds}${zone}`', '${seconds}Z`'],
      ['an integer beyond 2^53 is rounded', 'Number(text) : BigInt(text)', 'Number(text) : Number(text)'],
      ['`null` is a text', "if (nullable && text === 'null') return null;", ''],
      ['`null` clears a field that needs a value', "nullable && text === 'null'", "text === 'null'"],
      ['a list keeps its spaces', '.map((item) => item.trim())', ''],
      ['invalid JSON is sent as text', 'throw new BadUsage(ARGUMENTS.notJson(flag));', 'return text;'],
    ],
  },
  {
    file: 'cli/args/serve-flags.ts',
    tests: ['cli/args/serve-flags.test.ts'],
    changes: [
      ['a timer overflows', 'ms !== undefined && ms <= LONGEST_MS', 'ms !== undefined'],
      ['a password in an address is accepted', 'PASSWORD.test(value) ||', ''],
      ['a password in a parameter is accepted', '/password$/i.test(name) && text', 'false'],
      ['no flag is checked for a password', 'refusePassword(flag, value);', ''],
    ],
  },
  {
    file: 'cli/args/read-arguments.ts',
    tests: ['cli/args/read-arguments.test.ts'],
    changes: [
      ['a flag is the value of another', "inline === undefined && value.startsWith('--')", 'false'],
      ['a flag counts twice', 'values.has(flag) || on.has(flag)', 'on.has(flag)'],
      ['a repeated switch is accepted', 'values.has(flag) || on.has(flag)', 'values.has(flag)'],
      ['`--yes=false` means yes', 'switches.includes(flag) && inline === undefined', 'switches.includes(flag)'],
      ['surplus arguments are ignored', 'if (tooMany !== undefined)', 'if (false)'],
      ['a repeated list keeps only its last value', '${values.get(flag)},${takeValue', '${takeValue'],
      [
        'required flags are optional',
        '...required.filter((flag) => !values.has(flag))',
        '...required.filter(() => false)',
      ],
      ['a missing argument is accepted', 'isLastOptional ? -1 : undefined', '-1'],
    ],
  },
  {
    file: 'cli/args/variables.ts',
    tests: ['src/config.variables.test.ts'],
    changes: [
      [
        'a variable overrides a secret file',
        'if (value) return fail(',
        'if (value) return value; else if (!file) return fail(',
      ],
      ['a secret keeps its line break', String.raw`.replace(/[\r\n]+$/, '')`, ''],
      ['an empty secret file is accepted', 'if (text) return text;', 'return text;'],
      ['unknown settings are ignored', '!value || known.includes(name) ||', '!value || known.length > 0 ||'],
      [
        'service links of a cluster are refused',
        'known.includes(name) || isServiceLink(name, value)',
        'known.includes(name)',
      ],
    ],
  },
  {
    file: 'cli/args/suggest.ts',
    tests: ['cli/args/suggest.test.ts'],
    changes: [
      ['any word is a suggestion', 'slips <= most', 'slips >= 0'],
      ['long words are compared', 'if (given.length > LONGEST) return undefined;', ''],
      ['a swap of letters is two typos', 'swapped ?', 'false ?'],
      ['the worst guess comes first', 'a.slips - b.slips', 'b.slips - a.slips'],
    ],
  },
  {
    file: 'cli/rows/csv-field.ts',
    tests: ['cli/rows/csv-field.test.ts', 'cli/rows/pet-rows.test.ts'],
    changes: [
      ['a formula is not escaped', "/^'*[=+", "/^'*[+"],
      ['a formula in full width is not escaped', '＝＋－＠]', ']'],
      ['a formula after a tab is not escaped', String.raw`\-@\t\r\n`, String.raw`\-@`],
      ['escaped text is not escaped again', "/^'*[=+", '/^[=+'],
      ['nothing is escaped', 'FORMULA.test(value) ?', 'false ?'],
      ['an import keeps the escape', 'FORMULA.test(text) ? text.slice(1)', 'FORMULA.test(text) ? text'],
      ['an import drops any apostrophe', `text.startsWith("'") && FORMULA.test(text)`, `text.startsWith("'")`],
      ['a quote is not doubled', `text.replaceAll('"', '""')`, 'text'],
      ['a line break is not quoted', String.raw`/[",;\t\r\n]|`, String.raw`/[",;\t]|`],
    ],
  },
  {
    file: 'cli/rows/csv.ts',
    tests: ['cli/rows/pet-rows.test.ts'],
    changes: [
      ['an open quote at the end is accepted', 'yield records;\n  }\n  joiner.end();', 'yield records;\n  }'],
      ['semicolons do not separate', `[',', ';', '\\t']`, `[',', '\\t']`],
      ['a doubled quote is dropped', `if (text[at] === '"') field += '"';`, ''],
    ],
  },
  {
    file: 'cli/rows/category.ts',
    tests: ['test/import-samples.test.ts', 'cli/rows/pet-rows.test.ts'],
    changes: [
      ['one of two categories with one name is chosen', 'named && others.length === 0', 'named'],
      [
        'category names are case-sensitive',
        'name?.trim().toLowerCase() === text.trim().toLowerCase()',
        'name === text',
      ],
    ],
  },
  {
    file: 'cli/rows/pet-rows.ts',
    tests: ['cli/rows/pet-rows.test.ts'],
    changes: [
      ['a batch exceeds the service limit', 'BATCH_ROWS = 500', 'BATCH_ROWS = 1001'],
      ['two columns for one field are accepted', 'if (twice) throw', 'if (false) throw'],
      ['a missing column is accepted', 'if (missing.length > 0)', 'if (false)'],
      ['a row that lacks a field is accepted', 'cells.length !== columns.length', 'cells.length > columns.length'],
      ['a category id is rounded', 'Number(text) : BigInt(text.trim())', 'Number(text) : Number(text)'],
      ['an emoji counts twice', '[...name].length > 255', 'name.length > 255'],
      ['a null character is accepted', String.raw`if (name.includes('\0'))`, 'if (false)'],
      ['a lone surrogate is accepted', 'if (!name.isWellFormed())', 'if (false)'],
      ['an empty name is accepted', "if (name.trim() === '')", 'if (false)'],
      ['an unknown status is accepted', 'STATUSES.includes(value.status) ?', 'true ?'],
      [
        'the file name beats the contents',
        "found ?? namedFormat(name) ?? 'csv'",
        "namedFormat(name) ?? found ?? 'csv'",
      ],
      [
        'a rejected row loses its text',
        'return JSON.stringify({ row: text, reason });',
        'return JSON.stringify({ reason });',
      ],
      [
        'other fields of a row are sent',
        'return { name, categoryId, ...(status',
        'return { ...(value as PetRow), ...(status',
      ],
    ],
  },
  {
    file: 'cli/rows/text-chunks.ts',
    tests: ['test/import-samples.test.ts', 'cli/rows/pet-rows.test.ts'],
    changes: [
      ['a workbook is read as text', 'isFirst && startsWorkbook(bytes)', 'false'],
      ['broken UTF-8 is replaced', 'fatal: true', 'fatal: false'],
      ['lines that end with CR are one line', String.raw`/\r(?=[^\n])|\n/`, String.raw`/\n/`],
      ['the last line is lost', "if (rest !== '') yield", 'if (false) yield'],
      ['a second array is ignored', 'if (isOver) refuseMore(rest);', ''],
      ['an open array is accepted', 'if (!isOver) throw', 'if (false) throw'],
      ['an escaped quote ends a text', 'else if (code === BACKSLASH) isEscaped = true;', ''],
      ['a line of any length is read', 'if (rest.length > LONGEST_ROW)\n', 'if (false)\n'],
    ],
  },
  {
    file: 'cli/files/send-pets.ts',
    tests: ['cli/commands/import-pets.test.ts'],
    changes: [
      [
        'a repeated import adds pets twice',
        '`import-${name}-${number}`',
        '`import-${name}-${number}-${Math.random()}`',
      ],
      ['repeated batches count as added', "response.replayed ? 'before' : 'added'", "'added'"],
      ['the last batch is not sent', 'if (batch.pets.length > 0) yield batch;', ''],
      ['invalid rows are sent', 'if (one.faults.length > 0)', 'if (false)'],
    ],
  },
  {
    file: 'cli/files/output-file.ts',
    tests: ['cli/files/output-file.test.ts'],
    changes: [
      ['everyone can read a new file', 'const PRIVATE = 0o600', 'const PRIVATE = 0o644'],
      ['a link is replaced', 'isStream ? file : await follow(file)', 'file'],
      ['a partial file is left', 'else if (!isStream) await rm(partial);', ''],
      ['a partial file gets the final name', 'if (!isStream && isWhole)', 'if (!isStream)'],
      ['a file is not synced', '.then(() => output.sync().catch(orFail))', ''],
      ['a replaced file loses its mode', 'found ? found.mode & 0o777 : PRIVATE', 'PRIVATE'],
      ['a full file counts as empty', 'found.size > 0', 'false'],
      ['a file that a shell has opened is replaced', '|| OPENED.test(resolve(file))', ''],
    ],
  },
  {
    file: 'cli/commands/profiles.ts',
    tests: ['cli/commands/login.test.ts'],
    changes: [
      ['everyone can read the profiles', 'chmodSync(partial, 0o600);', 'chmodSync(partial, 0o644);'],
      ['a leftover file keeps its mode', 'chmodSync(partial, 0o600);', ''],
      ['profiles that others can read are used', 'if (statSync(file).mode & OTHERS)', 'if (false)'],
      ['everyone can list the folder', 'mode: 0o700', 'mode: 0o755'],
      ['a group may read the profiles', 'OTHERS = 0o077', 'OTHERS = 0o007'],
    ],
  },
  {
    file: 'cli/commands/login.ts',
    tests: ['cli/commands/login.test.ts'],
    changes: [
      ['the list shows whole keys', 'key.slice(-4)', 'key'],
      [
        'a logout removes all profiles',
        'writeProfiles(invocation.environment, rest);',
        'writeProfiles(invocation.environment, {});',
      ],
      ['a login removes other profiles', '{ ...profiles, [name]: { url, key } }', '{ [name]: { url, key } }'],
      ['a profile has any name', String.raw`/^\w[\w.-]{0,63}$/`, '/^/'],
    ],
  },
  {
    file: 'cli/commands/connection.ts',
    tests: ['cli/commands/login.test.ts', 'cli/commands/run-command.test.ts'],
    changes: [
      [
        'a stored key is sent to another service',
        'pair.isStored && pair.url !== url ? undefined : pair.key',
        'pair.key',
      ],
      ['an address may contain a user', '[^/?#@]+(', '[^/?#]+('],
      ['a key file that others can read raises no warning', 'stat.isFile() && stat.mode & OTHERS', 'false'],
      ['a key may contain a line break', 'if (VISIBLE.test(key)) return key;', 'if (key) return key;'],
      [
        'a variable beats a named profile',
        'named === undefined && variables.key !== undefined',
        'variables.key !== undefined',
      ],
    ],
  },
  {
    file: 'cli/commands/command.ts',
    tests: ['cli/commands/confirm.test.ts'],
    changes: [
      ['a reset needs no confirmation', "method === 'DELETE' || command === 'sandbox reset'", "method === 'DELETE'"],
      [
        'a deletion needs no confirmation',
        "method === 'DELETE' || command === 'sandbox reset'",
        "command === 'sandbox reset'",
      ],
    ],
  },
  {
    file: 'cli/commands/run-operation.ts',
    tests: ['cli/commands/confirm.test.ts', 'cli/commands/run-command.test.ts'],
    changes: [
      ['a "no" is ignored', 'if (isSure === false) return', 'if (false) return'],
      ['a "no" exits with 0', 'exitCode: REFUSED', 'exitCode: 0'],
      ['nothing asks first', "isDestructive(contract) && !given.switches.has('yes')", 'false'],
      ['`--yes` still asks', " && !given.switches.has('yes')", ''],
      ['`..` is an id', "|| text === '.' || text === '..'", ''],
    ],
  },
  {
    file: 'cli/output/terminal.ts',
    tests: ['cli/commands/confirm.test.ts'],
    changes: [
      ['any reply means yes', '/^y(es)?$/i.test(reply.trim())', '!/^no?$/i.test(reply.trim())'],
      ['Enter means yes', '/^y(es)?$/i', '/^(y(es)?)?$/i'],
    ],
  },
  {
    file: 'cli/commands/export-pets.ts',
    tests: ['cli/commands/export-pets.test.ts'],
    changes: [
      [
        'a script overwrites a file',
        'if (isSure === undefined) throw new BadUsage(OUTPUT.exists(file));',
        'if (isSure === undefined) return true;',
      ],
      ['every file is overwritten', "if (!isTaken || switches.has('overwrite')) return true;", 'return true;'],
      ['`--overwrite` is ignored', "!isTaken || switches.has('overwrite')", '!isTaken'],
      ['a "no" exits with 0', 'return { exitCode: REFUSED, err', 'return { exitCode: 0, err'],
      ['a terminal interprets names', 'columns === undefined ? print : (text) => print(inVisibleLines(text))', 'print'],
      ['an export does not escape formulas', 'isRaw ? csvField : spreadsheetField', 'csvField'],
      ['an export ignores its filters', 'limit: LARGEST_PAGE, ...queryOf(command, given)', 'limit: LARGEST_PAGE'],
      ['the array of a long export is not JSON', "index === 0 ? '\\n' : ',\\n'", "'\\n'"],
    ],
  },
  {
    file: 'cli/commands/import-pets.ts',
    tests: ['cli/commands/import-pets.test.ts'],
    changes: [
      ['a dry run adds pets', 'if (isDry) return', 'if (false) return'],
      ['invalid rows stop nothing', "isBad && (isDry || !given.switches.has('continue'))", 'isBad && isDry'],
      ['`--again` adds nothing', 'checked.digest.slice(0, 32) + again', 'checked.digest.slice(0, 32)'],
      ['rejected rows are not kept', 'rejects.add(bad);', ''],
      [
        'a refused import exits with 0',
        'return {\n    exitCode: REFUSED,\n    err: [',
        'return {\n    exitCode: 0,\n    err: [',
      ],
    ],
  },
  {
    file: 'cli/output/show-result.ts',
    tests: ['cli/output/show-result.test.ts'],
    changes: [
      ['a secret is lost with its output', 'if (isSecret) tell(`${out}\\n`);', ''],
      ['lost output exits with 0', 'exitCode: exitCode || FAILED', 'exitCode'],
      ['a closed pipe hides a lost secret', "=== 'EPIPE' && !isSecret", "=== 'EPIPE'"],
      ['a closed pipe is a failure', "=== 'EPIPE' && !isSecret", "=== 'never' && !isSecret"],
      ['errors are not JSON', "args.includes('--json') || args.includes('--ndjson')", 'false'],
      ['a lost note exits with 0', '? exitCode : FAILED', '? exitCode : exitCode'],
      ['bad usage has the code of a failure', "exitCode === BAD_USAGE ? 'bad_usage' : 'failed'", "'failed'"],
      ['the error of the service loses its code', '    ...problem,\n', ''],
    ],
  },
  {
    file: 'cli/output/show-answer.ts',
    tests: ['cli/commands/key-commands.test.ts'],
    changes: [
      ['a new key is not marked as a secret', ': {}), isSecret: true };', ': {}) };'],
      ['a webhook secret is not marked as one', "['key', 'secret'].find", "['key'].find"],
      ['nothing warns that a secret is shown once', 'columns !== undefined && !isJson', 'false'],
    ],
  },
  {
    file: 'cli/output/text.ts',
    tests: ['cli/output/text.test.ts'],
    changes: [
      ['a terminal interprets escape sequences', String.raw`[\p{Cc}\p{Zl}`, String.raw`[\p{Zl}`],
      ['a name reverses the text around it', String.raw`\p{Bidi_Control}`, ''],
      ['a future time is shown as past', 'return at > now ?', 'return at < now ?'],
      ['a cut text has no mark', 'return `${kept}…`;', 'return kept;'],
      ['a wide character counts once', 'Bun.stringWidth(text)', 'text.length'],
    ],
  },
  {
    file: 'cli/output/progress.ts',
    tests: ['cli/output/progress.test.ts'],
    changes: [
      ['the time left never shrinks', '(total - done) / rate', 'total / rate'],
      ['a narrow terminal cuts the time left', '?? (left || amount)', '?? amount'],
    ],
  },
  {
    file: 'cli/output/columns.ts',
    tests: ['cli/output/columns.test.ts'],
    changes: [
      ['an expired key is active', "if (isPast(expiresAt, now)) return 'expired';", ''],
      ['a past ban counts as a ban', 'bannedUntil && !isPast(bannedUntil, now)', 'bannedUntil'],
      ['a revoked key is active', "if (revokedAt) return 'revoked';", ''],
    ],
  },
  {
    file: 'cli/commands/explain-refusal.ts',
    tests: ['cli/commands/run-command.test.ts', 'cli/commands/key-commands.test.ts'],
    changes: [
      ['a refusal exits with 0', 'return { exitCode: REFUSED,', 'return { exitCode: 0,'],
      [
        'a lost write claims that nothing happened',
        "method === 'GET' ? SERVICE.noResponse(url) : SERVICE.outcomeUnknown(url)",
        'SERVICE.noResponse(url)',
      ],
      ['another service passes for a pet store', "if (error.code === 'unexpected_answer') return", 'if (false) return'],
    ],
  },
];
