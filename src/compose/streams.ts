import type { Job } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import { createHub, DESCRIPTORS_WANTED, streamsWith } from '../streaming/hub.ts';
import { createStreamQueue } from '../streaming/queue.ts';

type Deps = {
  log: Log;
  /** How many files and connections the process may have open, where that is known. */
  fileDescriptors?: number | undefined;
};

/** The open event streams, what they read through, and what is done for them in the background. */
export const composeStreams = ({ log, fileDescriptors = Number.POSITIVE_INFINITY }: Deps) => {
  const most = streamsWith(fileDescriptors);
  if (fileDescriptors < DESCRIPTORS_WANTED) {
    log.warn('few_file_descriptors', {
      limit: fileDescriptors,
      advice: `no more than ${most} event streams; raise the limit (ulimit -n) to ${DESCRIPTORS_WANTED} or more`,
    });
  }
  const hub = createHub(most);
  const job: Job = { name: 'tend-streams', everyMs: 1000, run: hub.tend };
  return { hub, streamQueue: createStreamQueue({ log }), jobs: [job] };
};
