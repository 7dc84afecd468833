import { Link } from 'wouter';
import { Actor } from '../data/use-key-names.ts';
import { common } from '../texts.ts';
import { Time } from './time.tsx';

export type TimelineEntry = { key: string; at: string; text: string; keyId: string | undefined; to?: string };

export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol className="timeline" aria-label={common.history}>
    {entries.map(({ key, at, text, keyId, to }) => (
      <li key={key}>
        {to ? <Link href={to}>{text}</Link> : text}
        <span className="soft">
          <Actor id={keyId} /> · <Time at={at} />
        </span>
      </li>
    ))}
  </ol>
);
