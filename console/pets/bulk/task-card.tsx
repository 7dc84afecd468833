import { X } from 'lucide-react';
import { useValue } from '../../data/value.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { isolated, showCount } from '../../kit/text.ts';
import { showDuration, useNow } from '../../kit/time.tsx';
import { common } from '../../texts.ts';
import { texts } from '../texts.ts';
import { saveFile } from '../transfer/save-file.ts';
import { dismissTask, type Task, tasks } from './tasks.ts';

const MAX_SHOWN = 20;

const Pace = ({ task: { done, total, failed, startedAt, startedDone } }: { task: Task }) => {
  const seconds = (useNow() - startedAt) / 1000;
  const rate = (done - startedDone) / seconds;
  if (seconds < 1 || rate <= 0) return null;
  return (
    <span className="soft number">
      {texts.tasks.rate(Math.round(rate))}
      {total !== undefined && texts.tasks.left(showDuration(((total - done - failed.length) / rate) * 1000))}
    </span>
  );
};

const Failed = ({ task: { failed, failedFile } }: { task: Task }) => {
  if (failed.length === 0) return null;
  const file = failedFile?.(failed);
  return (
    <>
      <details>
        <summary>{texts.tasks.rejected(failed.length)}</summary>
        <ul className="failed">
          {failed.slice(0, MAX_SHOWN).map(({ what, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, so an index always means the same row.
            <li key={index}>
              <strong>{isolated(what)}</strong>: {reason}
            </li>
          ))}
        </ul>
        {failed.length > MAX_SHOWN && <p className="soft">{texts.tasks.moreInFile}</p>}
      </details>
      {file && <Button onClick={() => saveFile(file.name, [file.text])}>{texts.tasks.saveFile(file.name)}</Button>}
    </>
  );
};

const TaskCard = ({ task }: { task: Task }) => {
  const { title, phase, done, total, verb, failed, error, stop, resume } = task;
  return (
    <section className="card task" aria-label={title}>
      <div className="row">
        <strong>{title}</strong>
        <span className="number" role={phase === 'running' ? undefined : 'status'}>
          {texts.tasks.phases[phase]}
          {showCount(done)} {total !== undefined && phase === 'running' && texts.tasks.of(total)}
          {verb}
        </span>
        {phase === 'running' && <Pace task={task} />}
        <span className="push" />
        {phase === 'running' && <Button onClick={stop}>{texts.tasks.stop}</Button>}
        {phase === 'stopped' && resume && (
          <Button
            onClick={() => {
              dismissTask({ ...task, onDismiss: undefined });
              resume();
            }}
          >
            {common.resume}
          </Button>
        )}
        {phase !== 'running' && (
          <Button kind="quiet" icon={X} onClick={() => dismissTask(task)} aria-label={texts.tasks.dismiss(title)} />
        )}
      </div>
      {phase === 'running' && <progress aria-label={title} value={done + failed.length} max={total} />}
      {/* A resumed import adds no pet twice, and an export changes nothing, so both are as safe to repeat as reads. */}
      {error && <ErrorNote error={error} isRead />}
      <Failed task={task} />
    </section>
  );
};

export const TaskCards = () =>
  useValue(tasks)
    .filter(({ isQuiet, failed, error }) => !isQuiet || failed.length > 0 || error)
    .map((task) => <TaskCard key={task.id} task={task} />);
