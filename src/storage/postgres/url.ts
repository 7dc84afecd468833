import { DatabaseUnusable } from '../unusable.ts';

/** One server that may be the primary: how to reach it, and its name without the password. */
export type PostgresHost = { name: string; url: string };

const PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/i;

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** The servers (or, without a host, the socket in the parameter `host`) that `postgres://user:password@h1:5432,h2:5432/name?sslmode=…` names, in its order. */
export const parsePostgresUrl = (url: string): PostgresHost[] => {
  const [, scheme, user = '', hosts, path = '', query = ''] = PARTS.exec(url) ?? [];
  const isValid = hosts?.split(',').every((host) => URL.canParse(`${scheme}${user}${host}${path}`));
  if (hosts === undefined || !isValid) {
    throw new DatabaseUnusable('DATABASE_URL must be like postgres://user:password@host:5432/name');
  }
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode');
  if (mode !== null && !MODES.includes(mode)) {
    throw new DatabaseUnusable(`DATABASE_URL: sslmode must be one of ${MODES.join(', ')}`);
  }
  // With it sslmode means what PostgreSQL says it means: `require` encrypts, `verify-full` also knows the server.
  if (mode !== null) parameters.set('uselibpqcompat', 'true');
  return hosts.split(',').map((host) => ({
    name: `${host || parameters.get('host') || 'localhost'}${path}`,
    url: `${scheme}${user}${host}${path}?${parameters}`,
  }));
};
