import { Code } from '../kit/code.tsx';
import { ROOT_URL, useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const LaptopGuide = ({ types }: { types?: readonly string[] }) => {
  const { can } = useSession();
  return (
    <details className="api-call">
      <summary>{texts.laptop.title}</summary>
      <p>
        {texts.laptop.text}
        {!can('events:read') && texts.laptop.needsScope}
      </p>
      <Code
        text={[
          `export PETSTORE_URL=${ROOT_URL} PETSTORE_API_KEY=$API_KEY`,
          `petstore webhooks listen --forward-to http://localhost:3000/hooks${types ? ` --types ${types.join(',')}` : ''}`,
        ].join('\n')}
        what={common.copied.command}
      />
    </details>
  );
};
