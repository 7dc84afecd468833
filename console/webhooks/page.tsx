export const Page = () => <h1>Webhooks</h1>;
