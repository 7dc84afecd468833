// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { BrokenRules } from './rule.ts';

export const CONSOLE: readonly BrokenRules[] = [
  {
    file: 'console/pets/bulk/tasks.ts',
    tests: ['console/pets/bulk/tasks.test.ts'],
    changes: [
      ['a stopped task continues', 'if (signal.aborted) return;', ''],
      ['Stop does nothing', 'stop: () => stopped.abort(),', 'stop: () => undefined,'],
      ['a stopped task looks finished', "stopped.signal.aborted ? 'stopped' : 'ended'", "'ended'"],
      ['a failed task looks finished', "phase: 'stopped', ...(stopped", "phase: 'ended', ...(stopped"],
      ['Stop looks like a failure', '...(stopped.signal.aborted ? {} : { error })', 'error'],
      ['requests that Stop ended count as failed', 'if (!signal.aborted) add(0,', 'add(0,'],
      ['a failure counts as done', 'add(0, [{', 'add(1, [{'],
      ['a failure is forgotten', '[...now.failed, ...failed]', 'now.failed'],
      ['all requests start together', 'CONCURRENCY = 4', 'CONCURRENCY = 400'],
      ['requests run one by one', 'CONCURRENCY = 4', 'CONCURRENCY = 1'],
      ['the progress of one task is shown on another', 'task.id === id ? {', 'task.id !== 0 ? {'],
      ['a dismissed task stays', 'tasks.get().filter((task) => task.id !== id)', 'tasks.get()'],
      ['a dismissed import comes back', 'onDismiss?.();', ''],
    ],
  },
  {
    file: 'console/pets/bulk/bulk.ts',
    tests: ['console/pets/bulk/bulk.test.ts'],
    changes: [
      [
        'Stop waits for the running changes',
        'petstore.pets.update(pet.id, change, { signal: progress.signal })',
        'petstore.pets.update(pet.id, change)',
      ],
      [
        'Stop waits for the running deletions',
        'petstore.pets.delete(id, { signal: progress.signal })',
        'petstore.pets.delete(id)',
      ],
      ['the file of failures runs formulas', '${spreadsheetField(what)}', '${what}'],
      ['the reason of a failure runs formulas', '${spreadsheetField(reason)}', '${reason}'],
      ['a deleted pet stays in the list', 'dropPets(queries, new Set([String(id)]));', ''],
      [
        'a changed pet stays as it was',
        'putAll(queries, [await petstore.pets.update',
        'void ([await petstore.pets.update',
      ],
    ],
  },
  {
    file: 'console/pets/filters.ts',
    tests: ['console/pets/filters.test.ts'],
    changes: [
      ['more ids are sent than the service accepts', 'ids.size > MAX_IDS', 'false'],
      ['invalid ids are sent', '![...ids].every((id) => INT64.test(id))', 'false'],
      ['ids in lines are refused', String.raw`/[\s,;]+/`, '/,/'],
      ['an id is rounded', "ids.split(',').map(BigInt)", "ids.split(',').map(Number)"],
      ['the category filter is dropped', '(!categoryId || String(pet.categoryId) === categoryId) &&', ''],
      ['the status filter is dropped', '(!status || pet.status === status) &&', ''],
      ['names are case-sensitive', "text.normalize('NFKC').toLowerCase()", "text.normalize('NFKC')"],
      [
        'only the beginning of a name matches',
        'fold(pet.name).includes(fold(name))',
        'fold(pet.name).startsWith(fold(name))',
      ],
      [
        'the newest pet is last',
        "newest: { label: 'Newest first', query: { order: 'desc' } }",
        "newest: { label: 'Newest first', query: { order: 'asc' } }",
      ],
      [
        'an unknown status is sent',
        "STATUSES.find((one) => one === params.get('status'))",
        "params.get('status') as PetStatus",
      ],
    ],
  },
  {
    file: 'console/pets/moves.ts',
    tests: ['test/console-pets.test.ts'],
    changes: [['a sold pet is offered again', 'sold: [],', "sold: ['available'],"]],
  },
  {
    file: 'console/pets/pet-cache.ts',
    tests: ['console/pets/pet-cache.test.ts'],
    changes: [
      ['a deleted pet stays in the lists', 'rows.filter(({ id }) => !ids.has(String(id)))', 'rows'],
      ['a change hits all rows', 'pets.get(String(row.id)) ?? row', '[...pets.values()][0] ?? row'],
      ['a reload reads every page again', 'data && firstPage(data)', 'data'],
    ],
  },
  {
    file: 'console/data/list.ts',
    tests: ['console/pets/pet-cache.test.ts'],
    changes: [['a refresh keeps all pages', 'pages: pages.slice(0, 1)', 'pages: pages']],
  },
  {
    file: 'console/data/when-read.ts',
    tests: ['console/pets/pet-cache.test.ts'],
    changes: [
      ['a running request undoes a change', 'query.fetch().then(act, () => undefined);', ''],
      ['a change waits for the next request', '  act();\n', ''],
    ],
  },
  {
    file: 'console/categories/category.ts',
    tests: ['console/pets/filters.test.ts'],
    changes: [
      [
        'a category is found by a rounded id',
        'String(category.id) === String(id)',
        'Number(category.id) === Number(id)',
      ],
    ],
  },
  {
    file: 'console/pets/transfer/export-formats.ts',
    tests: ['test/console-pets.test.ts', 'console/pets/transfer/export-formats.test.ts'],
    changes: [
      ['an export ends after one page', 'const next = await page.next();', 'const next = undefined;'],
      ['an export ignores the filters', '{ ...toQuery(filters), limit: PAGE_ROWS }', '{ limit: PAGE_ROWS }'],
      ['Stop does not end an export', '{ signal }).page()', '{}).page()'],
      ['an export does not escape formulas', 'spreadsheetField, BYTE_ORDER_MARK', 'csvField, BYTE_ORDER_MARK'],
      ['a raw export is changed', "'status'], csvField)", "'status'], spreadsheetField)"],
    ],
  },
  {
    file: 'console/pets/transfer/import-rows.ts',
    tests: ['test/console-pets.test.ts', 'test/import-samples.test.ts'],
    changes: [
      ['an invalid row is imported', 'if (faults.length === 0) return {', 'if (true) return {'],
      ['category names are unknown', 'some.some(namesCategory) ? await categories() : []', '[]'],
      ['an unreadable file has no name', 'new Error(`${file.name} ${error.message}.`)', 'error'],
      [
        'the file of refused rows has no heading',
        '...(heading === undefined ? [] : [',
        '...(heading !== undefined ? [] : [',
      ],
    ],
  },
  {
    file: 'console/pets/transfer/import-batches.ts',
    tests: ['console/pets/transfer/import-batches.test.ts'],
    changes: [
      [
        'a reload adds pets twice',
        'idempotencyKey: `${name}-${round}`',
        'idempotencyKey: `${name}-${round}-${Math.random()}`',
      ],
      ['one refused row stops the import', 'if (named.size === 0) throw error;', 'throw error;'],
      ['a refused batch counts as added', 'if (named.size === 0) throw error;', 'if (named.size === 0) break;'],
      ['refused rows count as added', 'pets = pets.filter((_, index) => !named.has(index));', 'pets = [];'],
      ['a stopped import continues', ' && !signal.aborted', ''],
      ['a resumed import starts at the beginning', 'next: record.next + 1, added', 'next: record.next, added'],
      ['a reload forgets the progress', '    keepImport(state.record);\n', ''],
      ['a batch exceeds the rows of a request', ' || last.pets.length === BATCH_ROWS', ''],
      ['rows of a batch lose their lines', 'last.rows.push({ place, text });', ''],
      ['refused rows are not in the file', 'state.refused = [...state.refused, ...sent.refused];', ''],
    ],
  },
  {
    file: 'console/events/filter.ts',
    tests: ['console/events/filter.test.ts'],
    changes: [
      ['events of other pets are shown', 'return String(object.petId) === pet;', 'return true;'],
      ['events of other orders are shown', "'petId' in object && String(object.id) === order", "'petId' in object"],
      [
        'an order counts as the pet with its id',
        "return 'categoryId' in object && String(object.id) === pet;",
        'return String(object.id) === pet;',
      ],
      ['only one of two types is requested', 'types.length === 1 && types[0] ?', 'types[0] ?'],
      ['a search over pages stops early', 'types.length > 1;', 'types.length > 2;'],
      ['an empty filter stays in the address', 'else next.delete(name);', ''],
      ['unknown types hide everything', 'EVENT_TYPES.filter((type) => named.includes(type))', 'named as EventType[]'],
    ],
  },
  {
    file: 'console/data/event-types.ts',
    tests: ['test/console-events.test.ts'],
    changes: [
      ['a key without a scope is offered its events', '&& can(scope))', ')'],
      ['events of keys are offered to all', "can('keys:write') || ", 'true || '],
    ],
  },
  {
    file: 'console/keys/key-state.ts',
    tests: ['console/keys/key-state.test.ts'],
    changes: [
      ['an expired key is active', 'Date.parse(expiresAt) <= now', 'false'],
      ['a past ban counts as a ban', 'Date.parse(bannedUntil) > now', 'true'],
      ['a revoked key is active', 'if (revokedAt !== null)', 'if (false)'],
    ],
  },
  {
    file: 'console/keys/key-rules.ts',
    tests: ['test/console-keys.test.ts'],
    changes: [
      [
        'a new key may create keys',
        "['pets:read', 'pets:write', 'orders:read', 'orders:write']",
        "['pets:read', 'pets:write', 'orders:read', 'orders:write', 'keys:write']",
      ],
      ['every key named admin is the admin key', 'name === ADMIN.name && limits', 'name === ADMIN.name || limits'],
    ],
  },
  {
    file: 'console/keys/usage-hours.ts',
    tests: ['console/keys/usage-hours.test.ts'],
    changes: [
      ['429 counts as a client error', ' && status !== 429', ''],
      ['a request counts in an earlier hour too', 'at >= from && at < to', 'at < to'],
      ['the current hour is missing', '(Math.floor(now / HOUR_MS) + 1)', 'Math.floor(now / HOUR_MS)'],
      ['a server error is not counted', 'fits: (status) => status >= 500', 'fits: (status) => status > 500'],
    ],
  },
  {
    file: 'console/webhooks/outcome.ts',
    tests: ['console/webhooks/outcome.test.ts'],
    changes: [
      ['a lost delivery is retrying', "if (state === 'failed') return 'lost';", ''],
      ['a retry counts as waiting', "attempt === 0 ? 'waiting' : 'again'", "'waiting'"],
      ['a webhook without attempts is failing', 'attempts.length > 0 && ', ''],
      ['the earliest attempt decides whether a webhook is failing', '? 1 : -1', '? -1 : 1'],
    ],
  },
  {
    file: 'console/webhooks/webhook-state.ts',
    tests: ['console/webhooks/outcome.test.ts'],
    changes: [
      [
        'a webhook that the service disabled looks harmless',
        "disabledReason === 'switched_off' ? 'plain' : 'bad'",
        "'plain'",
      ],
    ],
  },
  {
    file: 'console/orders/moves.ts',
    tests: ['console/orders/moves.test.ts'],
    changes: [
      [
        'a delivered order can be cancelled',
        "from: ['placed', 'approved'], to: 'cancelled'",
        "from: ['placed', 'approved', 'delivered'], to: 'cancelled'",
      ],
      [
        'a placed order can be delivered',
        "from: ['approved'], to: 'delivered'",
        "from: ['placed', 'approved'], to: 'delivered'",
      ],
      ['a hold that ends soon is not marked', 'SOON_MS = 15 * 60_000', 'SOON_MS = 15 * 6000'],
    ],
  },
  {
    file: 'console/orders/order-pages.ts',
    tests: ['console/orders/order-pages.test.ts'],
    changes: [
      [
        'an order stays in the list that it left',
        'if (!belongs) return { ...data, pages };',
        'if (!belongs) return data;',
      ],
      ['an order is listed twice', 'items: page.items.filter((item) => !isSame(item))', 'items: page.items'],
      ['merged lists have gaps', '.filter(({ id }) => id >= lowest)', ''],
      ['merged lists start with the oldest', 'x.id < y.id ? 1 : -1', 'x.id < y.id ? -1 : 1'],
    ],
  },
  {
    file: 'console/orders/filters.ts',
    tests: ['console/orders/filters.test.ts'],
    changes: [
      ['the last day of a range is left out', 'dayOf(to, 1)', 'dayOf(to, 0)'],
      ['yesterday includes today', 'end: midnight(now, 0)', 'end: last'],
      ['a range includes its end', 'at < end', 'at <= end'],
    ],
  },
  {
    file: 'console/health/series.ts',
    tests: ['console/health/series.test.ts'],
    changes: [
      ['samples of another process are mixed in', 'kept.startedAt !== next.startedAt', 'false'],
      ['samples older than an hour stay', 'values.slice(from)', 'values'],
    ],
  },
  {
    file: 'console/overview/needs.ts',
    tests: ['console/overview/needs.test.ts'],
    changes: [
      ['a full window is not reported', 'used >= limit * NEARLY_FULL', 'used > limit'],
      ['a past ban is reported', 'until !== null && Date.parse(until) > now', 'until !== null'],
      ['unused deprecations are reported', 'one.keys.length > 0 && ', ''],
    ],
  },
  {
    file: 'console/kit/rank.ts',
    tests: ['console/kit/rank.test.ts'],
    changes: [
      ['the best match is not first', 'one.kind - other.kind ||', '0 ||'],
      ['a longer match comes first', 'one.length - other.length', 'other.length - one.length'],
      ['one of several words is enough', 'typed.split(/\\s+/).every(', 'typed.split(/\\s+/).some('],
    ],
  },
  {
    file: 'console/data/error-message.ts',
    tests: ['console/data/error-message.test.ts'],
    changes: [
      ['a read may have changed something', 'isRead ? texts.notice.unanswered', 'false ? texts.notice.unanswered'],
      ['the message of the service is lost', 'if (!isUnanswered(error)) return plainMessage(error);', ''],
    ],
  },
  {
    file: 'console/pets/transfer/own-import.ts',
    tests: ['console/pets/transfer/own-import.test.ts'],
    changes: [
      ['pets of others look imported', 'id >= ids.first && id <= ids.last', 'id >= ids.first'],
      ['every batch reloads the lists', 'if (!isShown) step();', 'step();'],
    ],
  },
  {
    file: 'console/kit/text.ts',
    tests: ['console/kit/text.test.ts'],
    changes: [
      ['a name reverses the text around it', 'TURNING.test(name) ?', 'false ?'],
      ['a name ends its own isolate', "name.replaceAll(ENDING, '')", 'name'],
      [
        'JSON rounds an integer',
        "typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one",
        "typeof one === 'bigint' ? Number(one) : one",
      ],
      ['"1 pets"', "count === 1 ? '' : 's'", "'s'"],
    ],
  },
];
