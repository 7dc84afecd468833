import type { Service } from './service.ts';

type Seen = { id: number; type: string };

export const followStream = async (
  service: Service,
  key: string,
  isEnough: (seen: Seen[]) => boolean,
  lastEventId?: number | string,
) => {
  const answer = await fetch(service.url('/v1/events/stream'), {
    headers: {
      Authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) }),
    },
  });
  const seen: Seen[] = [];
  const lastWords: string[] = [];
  let text = '';
  const decoder = new TextDecoder();
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, id, type] = /^id: (\d+)\nevent: (\S+)\n/.exec(event) ?? [];
        if (id && type) seen.push({ id: Number(id), type });
        if (event.includes('retry:')) lastWords.push(event);
        if (isEnough(seen)) return;
      }
    }
  })();
  return { answer, seen, lastWords, ended };
};
