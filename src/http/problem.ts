import { FAILURES, type Failure, type Fault } from '../kernel/failure.ts';
import type { Reply } from './reply.ts';

const pointerTo = (field: readonly PropertyKey[]): string => {
  const parts = field.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return ['#', ...parts.map(encodeURIComponent)].join('/');
};

const toError = (fault: Fault) =>
  'field' in fault ? { pointer: pointerTo(fault.field), detail: fault.detail } : fault;

export const toProblem = (
  { code, status, message, faults }: Failure,
  { base, requestId }: { base: string; requestId: string },
  show: (text: string) => string,
): Pick<Reply, 'mediaType' | 'body'> => {
  const body = {
    type: `${base}/docs/errors#${code}`,
    title: FAILURES[code].meaning,
    status,
    detail: show(message),
    code,
    instance: requestId,
    ...(faults.length > 0 ? { errors: faults.map((fault) => toError({ ...fault, detail: show(fault.detail) })) } : {}),
  };
  return { mediaType: 'application/problem+json', body };
};
