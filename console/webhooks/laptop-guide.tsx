import { Code } from '../kit/code.tsx';
import { ROOT_URL, useSession } from '../session/session.ts';

/** How to receive events on a machine that the service cannot reach. */
export const LaptopGuide = ({ types }: { types?: readonly string[] }) => {
  const { can } = useSession();
  return (
    <details className="api-call">
      <summary>Receive it on your laptop</summary>
      <p>
        The service does not reach a receiver on your own machine. The command line fetches the events, and hands each
        on as this webhook would, signed with a secret that it prints.
        {!can('events:read') && ' It takes a key with the scope events:read.'}
      </p>
      <Code
        text={[
          `export PETSTORE_URL=${ROOT_URL} PETSTORE_API_KEY=$API_KEY`,
          `petstore webhooks listen --forward-to http://localhost:3000/hooks${types ? ` --types ${types.join(',')}` : ''}`,
        ].join('\n')}
        what="the command"
      />
    </details>
  );
};
