/**
 * A baseline server like `bare-node.mjs`, but with `Bun.serve`. The service also runs on Bun and does more work per
 * request, so the service cannot be faster than this server.
 */
type Answers = Record<string, { status: number; headers: Record<string, string>; body: string }>;

const answers: Answers = JSON.parse(process.env.BENCH_ANSWERS ?? '{"GET":{"status":200,"headers":{},"body":""}}');

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  fetch: (request) => {
    const { status, headers, body } = answers[request.method] as Answers[string];
    return new Response(body, { status, headers });
  },
});
