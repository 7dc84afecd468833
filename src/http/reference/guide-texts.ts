import errors from '../../../docs/guides/errors.md' with { type: 'text' };
import events from '../../../docs/guides/events.md' with { type: 'text' };
import idempotency from '../../../docs/guides/idempotency.md' with { type: 'text' };
import keys from '../../../docs/guides/keys.md' with { type: 'text' };
import limits from '../../../docs/guides/limits.md' with { type: 'text' };
import paging from '../../../docs/guides/paging.md' with { type: 'text' };
import staging from '../../../docs/guides/staging.md' with { type: 'text' };
import webhooks from '../../../docs/guides/webhooks.md' with { type: 'text' };
import using from '../../../docs/using.md' with { type: 'text' };
import type { GuideText } from './guides.ts';

/** In the order in which the first of them names the others. Text, so that the one file has them inside. */
export const GUIDE_TEXTS: readonly GuideText[] = [
  { path: 'docs/using.md', text: using },
  ...Object.entries({ keys, limits, paging, errors, idempotency, events, webhooks, staging }).map(([name, text]) => ({
    path: `docs/guides/${name}.md`,
    text,
  })),
];
