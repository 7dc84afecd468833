import type { ReactNode } from 'react';
import type { Service, Setting } from '../../client/src/index.ts';
import { Badge } from '../kit/badge.tsx';
import { Panel } from '../kit/panel.tsx';
import { Time } from '../kit/time.tsx';
import type { State } from './state.ts';
import { texts } from './texts.ts';

const up = (isUp: boolean, [yes, no]: readonly [string, string]) => (
  <Badge tone={isUp ? 'good' : 'bad'} shape={isUp ? 'check' : 'cross'}>
    {isUp ? yes : no}
  </Badge>
);

export const About = ({ of, state }: { of: Service; state: State | undefined }) => {
  const facts: [label: string, value: ReactNode][] = [
    [texts.about.version, of.commit === null ? of.version : texts.about.commit(of.version, of.commit)],
    [texts.about.runtime, of.runtime],
    [texts.about.started, <Time key="started" at={of.startedAt} />],
    [texts.about.engine, texts.about.schema(texts.about.engines[of.engine], of.schema)],
  ];
  if (state) facts.push([texts.about.database, up(state.isWritable, [texts.about.writable, texts.about.notWritable])]);
  if (state?.isRedisUp !== undefined)
    facts.push([texts.about.redis, up(state.isRedisUp, [texts.about.up, texts.about.down])]);
  return (
    <Panel title={texts.about.title}>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
};

const List = ({ settings }: { settings: readonly Setting[] }) => (
  <dl className="facts settings">
    {settings.map(({ name, value, secret }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{secret ? texts.settings.secret : (value ?? texts.settings.unset)}</dd>
      </div>
    ))}
  </dl>
);

export const Settings = ({ of }: { of: readonly Setting[] }) => {
  const { set = [], default: usual = [] } = Object.groupBy(of, ({ source }) => source);
  return (
    <Panel title={texts.settings.title} end={texts.settings.note}>
      {set.length === 0 ? <p className="soft">{texts.settings.none}</p> : <List settings={set} />}
      <details>
        <summary>{texts.settings.defaults(usual.length)}</summary>
        <List settings={usual.filter(({ secret }) => !secret)} />
      </details>
    </Panel>
  );
};
