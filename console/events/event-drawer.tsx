import { Link } from 'wouter';
import { wordsOf } from '../data/event-types.ts';
import type { LiveEvent } from '../data/live.ts';
import { useEvent } from '../data/use-event.ts';
import { useActor } from '../data/use-key-names.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Code, CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { showInstant } from '../kit/relative-time.ts';
import { Ends } from '../kit/table/ends.tsx';
import { showJson } from '../kit/text.ts';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { Changes } from './changes.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventSentence } from './sentence.tsx';
import { type Subject, subjectsOf } from './subject.ts';
import { texts } from './texts.ts';

const KeyLink = ({ keyId }: { keyId: string }) => {
  const { me, can } = useSession();
  const name = useActor(keyId);
  if (keyId === me.id) return texts.actor.ownKey(name);
  return can('keys:write') ? <Link href={`/keys?key=${keyId}`}>{name}</Link> : <span title={keyId}>{name}</span>;
};

const SubjectLink = ({ text, href, scope }: Subject) => {
  const { can } = useSession();
  return href && (scope === undefined || can(scope)) ? (
    <Link href={href}>
      <Ends text={text} />
    </Link>
  ) : (
    <Ends text={text} />
  );
};

const EventStory = ({ of }: { of: LiveEvent }) => {
  const { can } = useSession();
  return (
    <div className="stack sections">
      <dl className="facts">
        <dt>{texts.drawer.subject}</dt>
        <dd>
          {subjectsOf(of).map((subject, index) => (
            <span key={subject.text}>
              {index > 0 && ', '}
              <SubjectLink {...subject} />
            </span>
          ))}
        </dd>
        <dt>{texts.drawer.time}</dt>
        <dd>
          <Time at={of.timestamp} /> <span className="soft">{showInstant(of.timestamp)}</span>
        </dd>
        <dt>{texts.drawer.actor}</dt>
        <dd>{of.actor ? <KeyLink keyId={of.actor.keyId} /> : common.service}</dd>
        <dt>{texts.drawer.type}</dt>
        <dd title={wordsOf(of.type)}>
          <code>{of.type}</code>
        </dd>
        <dt>{texts.drawer.request}</dt>
        <dd>
          {of.requestId ? (
            <CopyButton text={of.requestId} what={common.copied.requestId} label={of.requestId} />
          ) : (
            common.noRequestId
          )}
        </dd>
        <dt>{texts.drawer.sequence}</dt>
        <dd>{String(of.sequence)}</dd>
        <dt>{texts.drawer.event}</dt>
        <dd>
          <CopyButton text={of.id} what={common.copied.eventId} label={of.id} />
        </dd>
      </dl>
      <section>
        <h3>{texts.drawer.changes}</h3>
        <Changes of={of} />
      </section>
      {can('webhooks:write') && (
        <section aria-label={texts.drawer.deliveries}>
          <h3>{texts.drawer.deliveries}</h3>
          <EventDeliveries of={of} />
        </section>
      )}
      <section>
        <h3>{texts.drawer.payload}</h3>
        <Code text={showJson(of, 2)} what={common.copied.event} />
      </section>
      <ApiCall
        method="GET"
        path={`/events/${of.sequence}`}
        code={`const event = await petstore.events.get(${of.sequence});`}
      />
    </div>
  );
};

export const EventDrawer = (props: { sequence: string; known: LiveEvent | undefined; onClose: () => void }) => {
  const { data: event, error, isLoading, refetch } = useEvent(props.sequence, props.known);
  return (
    <Drawer
      isBig
      title={
        event ? (
          <span className="clamp">
            <EventSentence of={event} />
          </span>
        ) : (
          texts.drawer.title
        )
      }
      onClose={props.onClose}
    >
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {isLoading && <Skeleton lines={10} />}
      {event === null && <p>{texts.drawer.notFound}</p>}
      {event && <EventStory of={event} />}
    </Drawer>
  );
};
