// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { BrokenRules } from './rule.ts';

export const OPERATION: readonly BrokenRules[] = [
  {
    file: 'generate/mcp-tools.ts',
    tests: ['generate/mcp-tools.test.ts'],
    changes: [
      ['cancelling needs no confirmation', 'reset|cancel|deliver)', 'reset|deliver)'],
      ['delivering needs no confirmation', 'cancel|deliver)', 'cancel)'],
      ['revoking needs no confirmation', 'merge|revoke|', 'merge|'],
      ['resetting needs no confirmation', 'rotate|reset|', 'rotate|'],
      [
        'a tool accepts any argument',
        'additionalProperties: properties && false',
        'additionalProperties: properties && true',
      ],
      [
        'a change looks like a read',
        "method === 'GET' ? { readOnlyHint: true }",
        "method !== 'DELETE' ? { readOnlyHint: true }",
      ],
      ['required arguments are optional', '    required,\n    additional', '    additional'],
      ['a stream is a tool', 'CONTRACTS.filter(({ stream }) => !stream)', 'CONTRACTS.filter(() => true)'],
      ['a new value of a growing list is refused', "values && !('x-extensible' in others)", 'values'],
    ],
  },
  {
    file: 'src/mcp/call-tool.ts',
    tests: ['test/mcp.sqlite.test.ts'],
    changes: [
      [
        'unknown arguments are ignored',
        'if (unknown) return unknown;\n  for (const [name, place]',
        'for (const [name, place]',
      ],
      [
        'unknown arguments inside a list are ignored',
        'inside ? findUnknown(inside, part, place) :',
        'inside ? undefined :',
      ],
      ['a rounded id reaches the service', 'if (isRounded(value))', 'if (false)'],
      ['an id leads to another path', "path: (text) => /^\\.{0,2}$/.test(text) && 'must be an id',", ''],
      ['a refusal looks like a result', 'isError: true', 'isError: false'],
      ['an agent does not learn of the next page', 'const next = cursor ?', 'const next = false ?'],
      ['an agent does not learn when to retry', 'const advice = retryAfter ?', 'const advice = false ?'],
      [
        'an error names a request',
        'toToolError(nameTools(text, contracts) || bareRefusal(response)',
        'toToolError(text || bareRefusal(response)',
      ],
    ],
  },
  {
    file: 'src/mcp/server.ts',
    tests: ['test/mcp.sqlite.test.ts', 'test/mcp-tools.sqlite.test.ts'],
    changes: [
      [
        'all tools are listed to every key',
        "(contract.scope === 'any key' || scopes.includes(contract.scope))",
        'scopes',
      ],
      ['deprecated tools are listed', '(listsDeprecated || !contract.deprecation)', 'true'],
      [
        'unknown arguments reach the service',
        'tool ? faultOf(tool, given) : refuseTool(name, tools)',
        'tool ? undefined : refuseTool(name, tools)',
      ],
    ],
  },
  {
    file: 'src/storage/sqlite/backup/manifest.ts',
    tests: ['prove/power-loss/backup.test.ts', 'src/storage/sqlite/backup/restore.test.ts'],
    changes: [
      ['a backup is not synced', '  fsyncSync(file.fd);\n', ''],
      ['a damaged copy gets a manifest', "if (found !== 'ok') throw", 'if (false) throw'],
      [
        'a file without a manifest is a backup',
        'if (!row) throw new DatabaseUnusable(`${path} is not a complete petstore backup; use another file`);',
        'if (!row) return {} as Manifest;',
      ],
      ['the digest covers nothing', 'for (const piece of piecesOf(file)) hash.add(piece);', ''],
      ['the manifest says nothing about the source', 'isSourceChecked ? 1n : 0n', '1n'],
    ],
  },
  {
    file: 'src/storage/sqlite/backup/restore.ts',
    tests: ['prove/power-loss/backup.test.ts', 'src/storage/sqlite/backup/restore.test.ts'],
    changes: [
      ['a restored file is not synced', "syncPath(unfinished, 'r+');", ''],
      ['a changed backup is restored', 'if (Buffer.compare(hash.end().sum, digest) !== 0) throw damaged(from);', ''],
      ['a restore overwrites a database', 'if (!existsSync(path) && logSize(path) === 0) return;', 'return;'],
      ['a newer backup is restored', 'planSqliteMigrations(from);', ''],
      [
        'a staging backup becomes production',
        'refuseEnvironment(`${from} is a backup of`, facts.environment, environment);',
        '',
      ],
      ['a restored database is still a backup', 'removeManifest(unfinished);', ''],
      ['a partial restore is left', '  } finally {\n    removeWithJournal(unfinished);', '  } finally {'],
      ['everyone can read a restored database', "'wx', 0o600", "'wx', 0o644"],
      ['a restored database counts as damaged', 'markDamage(path);\n', ''],
      ['a log without a file is overwritten', ' && logSize(path) === 0', ''],
    ],
  },
  {
    file: 'src/storage/sqlite/files.ts',
    tests: ['src/storage/sqlite/files.test.ts', 'prove/power-loss/backup.test.ts', 'src/storage/sqlite/open.test.ts'],
    changes: [
      [
        'the folder of a finished file is not synced',
        'renameSync(unfinished, path);\n  syncPath(dirname(path));',
        'renameSync(unfinished, path);',
      ],
      [
        'nothing is synced',
        '  using file = openFile(path, flags);\n  fsyncSync(file.fd);',
        '  using _file = openFile(path, flags);',
      ],
      ['a short write is a success', 'if (written !== bytes.length)', 'if (false)'],
      ['a new folder is not synced', 'for (const one of made) sync(dirname(one));', ''],
      ['the journal of a partial copy is left', '[path, `${path}-journal`]', '[path]'],
    ],
  },
  {
    file: 'src/storage/sqlite/backup/online-backup.ts',
    tests: ['src/storage/sqlite/backup/restore.test.ts'],
    changes: [
      ['a backup overwrites a file', 'if (lstatSync(to, { throwIfNoEntry: false }))', 'if (false)'],
      ['a backup starts without room', 'if (free < needed)', 'if (false)'],
      ['a cancelled backup continues', "signal?.addEventListener('abort',", "signal?.addEventListener('never',"],
    ],
  },
  {
    file: 'src/ops/backup-folder.ts',
    tests: ['src/ops/backup-folder.test.ts'],
    changes: [
      ['one backup too many is removed', 'backups.slice(-keep)', 'backups.slice(-keep + 1)'],
      ['the newest backup is removed', 'backups.slice(-keep)', 'backups.slice(0, keep)'],
      ['other files of the folder are removed', String.raw`/^petstore-\d{8}T\d{6}Z\.db$/`, '/./'],
      [
        'a running backup is removed',
        'statSync(path).mtimeMs < now - LEFT_MS',
        'statSync(path).mtimeMs < now + LEFT_MS',
      ],
      ['the last checked backup is removed', 'await findLastChecked(backups), ', ''],
      ['the backup just made is removed', '[made, await', '[await'],
      ['a backup takes the name of another', 'existsSync(path) ? backupIn(folder, now + SECOND_MS) : path', 'path'],
    ],
  },
  {
    file: 'src/ops/doctor.ts',
    tests: ['test/doctor.test.ts'],
    changes: [
      ['a wrong finding exits with 0', "state === 'wrong') ? 1 : 0", "state === 'never') ? 1 : 0"],
      ['a warning exits with 1', "state === 'wrong') ? 1 : 0", "state !== 'ok') ? 1 : 0"],
      ['invalid settings are valid', "wrong('settings', found", "ok('settings', found"],
      ['the database is not checked', '...(await diagnoseDatabase(config)), ', ''],
      ['JSON is a table', "switches.has('json') ? JSON.stringify(all) : show(all)", 'show(all)'],
    ],
  },
  {
    file: 'src/storage/sqlite/integrity/diagnose.ts',
    tests: ['src/storage/sqlite/integrity/diagnose.test.ts', 'test/doctor.test.ts'],
    changes: [
      ['a full disk is fine', 'if (free < toWrite)', 'if (false)'],
      ['a disk without room for a backup is fine', 'if (free < copy)', 'if (false)'],
      ['a readable database is private', '& 0o077) !== 0', '& 0o007) !== 0'],
      ['a damaged database is intact', 'if (reply.damage !== undefined)', 'if (false)'],
      ['another environment is fine', 'deployment && deployment.environment !== environment', 'false'],
      ['earlier damage is forgotten', 'if (!mark) return [];', 'return [];'],
      ['a deleted log is fine', 'if (isLogMissing(file)) {', 'if (false) {'],
    ],
  },
  {
    file: 'generate/openapi/failures.ts',
    tests: ['generate/openapi/document.test.ts', 'test/openapi.test.ts'],
    changes: [
      ['a failure of cursors is not documented', "[paged || stream, ['invalid_cursor']],", ''],
      ['a failure of scopes is not documented', "[scope !== 'any key', ['insufficient_scope']],", ''],
      ['a failure of preconditions is not documented', "[guarded, ['precondition_failed']],", ''],
      ['a full store is not documented', "[method !== 'GET' && CATALOGUE_SCOPES.includes(scope), ['store_full']],", ''],
      ['the common failures lack the ban', "  'api_key_banned',\n", ''],
    ],
  },
  {
    file: 'generate/openapi/document.ts',
    tests: ['generate/openapi/document.test.ts', 'test/openapi.test.ts'],
    changes: [
      ['an operation does not name its scope', "'x-scope': contract.scope,", ''],
      ['an optional body is required', 'required: !optionalBody', 'required: true'],
      ['a deprecation is not marked', 'deprecated: true, ', ''],
      ['requests need no key', 'security: [{ apiKey: [] as string[] }],', ''],
      ['the stability is not stated', "...(contract.stability ? { 'x-stability': contract.stability } : {}),", ''],
      ['a request body has no example', '{ schema: schemaOf(body), example }', '{ schema: schemaOf(body) }'],
    ],
  },
  {
    file: 'generate/openapi/parameters.ts',
    tests: ['generate/openapi/document.test.ts', 'test/openapi.test.ts'],
    changes: [
      ['a path parameter is optional', "...(place === 'path' ? { required: true } : {}),", ''],
      ['a guarded change has no `If-Match`', '...(guarded ? [IF_MATCH] : []),', ''],
      ['a creation has no idempotency key', "...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),", ''],
      ['a list parameter is repeated', "style: 'form', explode: false", "style: 'form', explode: true"],
      ['a list has no page parameters', '...(paged ? PAGE_PARAMETERS : {})', ''],
    ],
  },
  {
    file: 'generate/openapi/responses.ts',
    tests: ['generate/openapi/document.test.ts', 'test/openapi.test.ts'],
    changes: [
      ['a list does not document its links', "if (contract.paged) named.push('Link');", ''],
      ['a replay is not documented', "if (contract.method === 'POST') named.push('Idempotent-Replayed');", ''],
      ['problem details are not documented', "'application/problem+json': { schema: ref('schemas', 'Problem') },", ''],
      ['a 429 does not document `Retry-After`', "  429: ['Retry-After'],\n", ''],
      ['304 is not documented', '...(unchanged ? [', '...(false ? ['],
      ['a stream is JSON', "contract.stream ? 'text/event-stream' : 'application/json'", "'application/json'"],
    ],
  },
  {
    file: 'generate/openapi/schemas.ts',
    tests: ['generate/openapi/document.test.ts', 'test/openapi.test.ts'],
    changes: [
      ['a union has no discriminator', 'if (discriminator) Object.assign(jsonSchema, { discriminator });', ''],
      ['a nullable value is never null', "type: [value.type, 'null']", 'type: value.type'],
      [
        'an extension repeats nothing that it requires',
        '...(newlyRequired.length > 0 && { required: newlyRequired })',
        '',
      ],
    ],
  },
  {
    file: 'generate/docs/config-page.ts',
    tests: ['generate/docs/pages.test.ts'],
    changes: [
      ['a default is missing', "standard === undefined ? (shown ?? 'none') : `\\`${standard}\\``", "shown ?? 'none'"],
      ['a secret file is not documented', "${kind ? ' or `_FILE`' : ''}", ''],
      ['a secret seems to have a flag', "'none (secret)'", '`--${name}`'],
    ],
  },
  {
    file: 'generate/docs/errors-page.ts',
    tests: ['generate/docs/pages.test.ts'],
    changes: [
      ['an error has no advice', '${FAILURES[code].meaning} | ${ADVICE[code]} |', '${FAILURES[code].meaning} | |'],
      ['the headers of an error are missing', "...(headers ? ['', headers] : []),", ''],
      ['errors are in no order', '.sort(([a], [b]) => a - b)', '.sort(([a], [b]) => b - a)'],
    ],
  },
];
