import { ChevronDown, Laptop } from 'lucide-react';
import { Code } from '../kit/code.tsx';
import { ROOT_URL, useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const LaptopGuide = ({ types }: { types?: readonly string[] }) => {
  const { can } = useSession();
  return (
    <details className="api-call">
      <summary>
        <Laptop className="icon" />
        {texts.laptop.title}
        <ChevronDown className="icon" />
      </summary>
      <p>
        {texts.laptop.text}
        {!can('events:read') && texts.laptop.needsScope}
      </p>
      <ol className="steps">
        <li>
          {texts.laptop.connect}
          <Code text={`export PETSTORE_URL=${ROOT_URL} PETSTORE_API_KEY=$API_KEY`} what={common.copied.command} />
        </li>
        <li>
          {texts.laptop.listen}
          <Code
            text={`petstore webhooks listen --forward-to http://localhost:3000/hooks${types ? ` --types ${types.join(',')}` : ''}`}
            what={common.copied.command}
          />
        </li>
        <li>{texts.laptop.verify}</li>
      </ol>
    </details>
  );
};
