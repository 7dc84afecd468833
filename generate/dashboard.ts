const quantile = (share: number, name: string): string =>
  `histogram_quantile(${share}, sum by (le) (rate(${name}_bucket[$__rate_interval])))`;

/** An unindented line contains a panel's title and Grafana unit. The panel's queries and their labels follow. */
const PANELS = `
Requests by status | reqps
  sum by (status) (rate(petstore_http_requests_total[$__rate_interval])) | {{status}}
Requests by operation | reqps
  sum by (operation) (rate(petstore_http_requests_total[$__rate_interval])) | {{operation}}
Errors by code | reqps
  sum by (code) (rate(petstore_http_errors_total[$__rate_interval])) > 0 | {{code}}
Request duration | s
  ${quantile(0.5, 'petstore_http_request_duration_seconds')} | p50
  ${quantile(0.99, 'petstore_http_request_duration_seconds')} | p99
Rate limit decisions | reqps
  sum by (subject, decision) (rate(petstore_limiter_decisions_total[$__rate_interval])) | {{subject}} {{decision}}
Requests refused due to overload | reqps
  sum by (instance) (rate(petstore_sheds_total[$__rate_interval])) | {{instance}}
Disk sync duration | s
  ${quantile(0.5, 'petstore_commit_sync_seconds')} | p50
  ${quantile(0.99, 'petstore_commit_sync_seconds')} | p99
Transactions per commit group | short
  sum(rate(petstore_commit_group_size_sum[$__rate_interval])) / sum(rate(petstore_commit_group_size_count[$__rate_interval])) | mean
Waiting writes | short
  sum by (instance) (petstore_writes_waiting) | {{instance}}
Event loop delay | s
  ${quantile(0.99, 'petstore_event_loop_delay_seconds')} | p99
Event and webhook lag | s
  max(petstore_event_lag_seconds) | events
  max(petstore_webhook_lag_seconds) | webhooks
Webhook delivery attempts | ops
  sum by (result) (rate(petstore_webhook_attempts_total[$__rate_interval])) | {{result}}
Event streams | short
  sum by (instance) (petstore_event_streams) | {{instance}}
PostgreSQL connections | short
  sum by (pool, state) (petstore_database_connections) | {{pool}} {{state}}
Database and Redis | short
  min by (instance) (petstore_database_up) | database {{instance}}
  max by (instance) (petstore_database_damaged) | damaged {{instance}}
  min by (instance) (petstore_redis_up) | Redis {{instance}}
Disk | bytes
  petstore_disk_free_bytes | free {{instance}}
  petstore_database_file_bytes | file {{instance}}
  petstore_database_wal_bytes | WAL {{instance}}
Age of the newest backup | s
  petstore_backup_age_seconds | {{instance}}
Memory | bytes
  process_resident_memory_bytes{job="petstore"} | {{instance}}
Processor | percentunit
  rate(process_cpu_seconds_total{job="petstore"}[$__rate_interval]) | {{instance}}
`;

const [COLUMNS, WIDTH, HEIGHT] = [3, 8, 8];

const splitLine = (line: string): [string, string] => line.trim().split(' | ') as [string, string];

const panelOf = (lines: string, index: number) => {
  const [head = '', ...queries] = lines.split('\n');
  const [title, unit] = splitLine(head);
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '$source' },
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(splitLine).map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      expr,
      legendFormat,
    })),
  };
};

export const createDashboard = (): string => {
  const dashboard = {
    title: 'Petstore',
    uid: 'petstore',
    schemaVersion: 39,
    tags: ['petstore'],
    refresh: '15s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels: PANELS.trim()
      .split(/\n(?! )/)
      .map(panelOf),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
};
