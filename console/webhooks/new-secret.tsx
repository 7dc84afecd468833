import type { WebhookWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';
import { ShownOnce } from '../kit/overlay/shown-once.tsx';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const NewSecret = ({ made: { url, secret } }: { made: WebhookWithSecret }) => (
  <ShownOnce
    title={texts.secret.title(url)}
    note={texts.secret.copyNow}
    lost={texts.secret.lost}
    secret={secret}
    what={common.copied.secret}
  >
    <p>{texts.secret.verify}</p>
    <Code text="const event = await verifyWebhook(request, process.env.WEBHOOK_SECRET);" what={common.copied.client} />
  </ShownOnce>
);
