import type { Config } from '../config.ts';
import type { Spans } from '../http/observe/spans.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { VERSION } from '../version.ts';

/** Where spans are sent to, if there is a collector. Nothing of it is loaded otherwise. */
export const composeSpans = async ({ config, log }: { config: Config; log: Log }): Promise<Spans | undefined> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { createSpans } = await import('../http/observe/spans.ts');
  const headers = config.OTEL_EXPORTER_OTLP_HEADERS ?? {};
  // Spans of several programs are laid beside each other: by the time of day.
  return createSpans({ endpoint, headers, version: VERSION, clock: systemClock, later: setTimeout, log });
};
