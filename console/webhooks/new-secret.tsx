import type { WebhookWithSecret } from '../../client/src/index.ts';
import { Code } from '../kit/code.tsx';

/** The secret of a webhook, which is shown only once. */
export const NewSecret = ({ made: { url, secret } }: { made: WebhookWithSecret }) => (
  <section className="secret" role="status" data-once>
    <p>
      <strong>With this secret deliveries to {url} are signed. It is shown this once.</strong> Copy it to the receiver
      now.
    </p>
    {secret === null ? (
      <p>The answer that showed it was lost. Rotate the secret to see a new one.</p>
    ) : (
      <Code text={secret} what="the secret" />
    )}
    <p>The receiver takes an event only if it is signed with it:</p>
    <Code text="const event = await verifyWebhook(request, process.env.WEBHOOK_SECRET);" what="the client code" />
  </section>
);
