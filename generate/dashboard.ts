/** The dashboard for Grafana, made of this table: a title, a unit of Grafana's, and queries with the names of their lines. */
type Panel = { title: string; unit: string; queries: readonly (readonly [query: string, legend: string])[] };

const INTERVAL = '$__rate_interval';

const quantile = (share: number, name: string): string =>
  `histogram_quantile(${share}, sum by (le) (rate(${name}_bucket[${INTERVAL}])))`;

const PANELS: readonly Panel[] = [
  {
    title: 'Requests by status',
    unit: 'reqps',
    queries: [[`sum by (status) (rate(petstore_http_requests_total[${INTERVAL}]))`, '{{status}}']],
  },
  {
    title: 'Requests by operation',
    unit: 'reqps',
    queries: [[`sum by (operation) (rate(petstore_http_requests_total[${INTERVAL}]))`, '{{operation}}']],
  },
  {
    title: 'Errors by code',
    unit: 'reqps',
    queries: [[`sum by (code) (rate(petstore_http_errors_total[${INTERVAL}])) > 0`, '{{code}}']],
  },
  {
    title: 'Duration',
    unit: 's',
    queries: [
      [quantile(0.5, 'petstore_http_request_duration_seconds'), 'p50'],
      [quantile(0.99, 'petstore_http_request_duration_seconds'), 'p99'],
    ],
  },
  {
    title: 'Limiter',
    unit: 'reqps',
    queries: [
      [`sum by (subject, decision) (rate(petstore_limiter_decisions_total[${INTERVAL}]))`, '{{subject}} {{decision}}'],
    ],
  },
  {
    title: 'Refused because of overload',
    unit: 'reqps',
    queries: [[`sum by (instance) (rate(petstore_sheds_total[${INTERVAL}]))`, '{{instance}}']],
  },
  {
    title: 'Sync of the disk',
    unit: 's',
    queries: [
      [quantile(0.5, 'petstore_commit_sync_seconds'), 'p50'],
      [quantile(0.99, 'petstore_commit_sync_seconds'), 'p99'],
    ],
  },
  {
    title: 'Transactions in a group',
    unit: 'short',
    queries: [
      [
        `sum(rate(petstore_commit_group_size_sum[${INTERVAL}])) / sum(rate(petstore_commit_group_size_count[${INTERVAL}]))`,
        'mean',
      ],
    ],
  },
  {
    title: 'Writes that wait',
    unit: 'short',
    queries: [['sum by (instance) (petstore_writes_waiting)', '{{instance}}']],
  },
  {
    title: 'Delay of the event loop',
    unit: 's',
    queries: [[quantile(0.99, 'petstore_event_loop_delay_seconds'), 'p99']],
  },
  {
    title: 'Lag of events and webhooks',
    unit: 's',
    queries: [
      ['max(petstore_event_lag_seconds)', 'events'],
      ['max(petstore_webhook_lag_seconds)', 'webhooks'],
    ],
  },
  {
    title: 'Deliveries to webhooks',
    unit: 'ops',
    queries: [[`sum by (result) (rate(petstore_webhook_attempts_total[${INTERVAL}]))`, '{{result}}']],
  },
  {
    title: 'Event streams',
    unit: 'short',
    queries: [['sum by (instance) (petstore_event_streams)', '{{instance}}']],
  },
  {
    title: 'Connections to PostgreSQL',
    unit: 'short',
    queries: [['sum by (pool, state) (petstore_database_connections)', '{{pool}} {{state}}']],
  },
  {
    title: 'Database and Redis',
    unit: 'short',
    queries: [
      ['min by (instance) (petstore_database_up)', 'database {{instance}}'],
      ['max by (instance) (petstore_database_damaged)', 'damaged {{instance}}'],
      ['min by (instance) (petstore_redis_up)', 'Redis {{instance}}'],
    ],
  },
  {
    title: 'Disk',
    unit: 'bytes',
    queries: [
      ['petstore_disk_free_bytes', 'free {{instance}}'],
      ['petstore_database_file_bytes', 'file {{instance}}'],
      ['petstore_database_wal_bytes', 'log {{instance}}'],
    ],
  },
  {
    title: 'Age of the last backup',
    unit: 's',
    queries: [['petstore_backup_age_seconds', '{{instance}}']],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: [['process_resident_memory_bytes{job="petstore"}', '{{instance}}']],
  },
  {
    title: 'Processor',
    unit: 'percentunit',
    queries: [[`rate(process_cpu_seconds_total{job="petstore"}[${INTERVAL}])`, '{{instance}}']],
  },
];

const [COLUMNS, WIDTH, HEIGHT] = [3, 8, 8];
const SOURCE = { type: 'prometheus', uid: '$source' };

const panelOf = ({ title, unit, queries }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource: SOURCE,
  gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: queries.map(([expr, legendFormat], at) => ({ refId: String.fromCharCode(65 + at), expr, legendFormat })),
});

export const createDashboard = (): string =>
  `${JSON.stringify(
    {
      title: 'Petstore',
      uid: 'petstore',
      schemaVersion: 39,
      tags: ['petstore'],
      refresh: '15s',
      time: { from: 'now-1h', to: 'now' },
      templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
      panels: PANELS.map(panelOf),
    },
    null,
    2,
  )}\n`;
