import type { Instance } from '../test/instances.ts';
import { waitFor } from '../test/wait-for.ts';

export const allLogged = (instances: readonly Instance[]) =>
  Promise.all(
    instances.map(async ({ call, program }) => {
      const id = (await call('GET', '/v1/keys/me')).headers.get('x-request-id') as string;
      await waitFor('its request is in the log', () => program.written.out.includes(id));
    }),
  );

export const timesLogged = ({ program }: Instance, event: string): number =>
  program.written.out.split(`"event":"${event}"`).length - 1;
