export const texts = {
  scope: 'This instance, last 15 minutes',
  database: 'Database',
  redis: 'Redis',
  version: 'Version',
  up: 'up',
  down: 'down',
  notUsed: 'not configured',
  otherCodes: 'others',
  noErrors: 'none',
  unreadable: (status: number) => `/metrics returned status ${status}.`,
};
