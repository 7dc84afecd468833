import type { WebhookWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const NewSecret = ({ made: { url, secret } }: { made: WebhookWithSecret }) => (
  <section className="secret" role="status" data-once>
    <p>
      <strong>{texts.secret.title(url)}</strong> {texts.secret.copyNow}
    </p>
    {secret === null ? <p>{texts.secret.lost}</p> : <Code text={secret} what={common.copied.secret} />}
    <p>{texts.secret.verify}</p>
    <Code text="const event = await verifyWebhook(request, process.env.WEBHOOK_SECRET);" what={common.copied.client} />
  </section>
);
