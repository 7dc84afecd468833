// A baseline server. It sends a response recorded from the service (status, headers and body) and does nothing else.
import { createServer } from 'node:http';

const answers = JSON.parse(process.env.BENCH_ANSWERS);

const server = createServer((request, response) => {
  const { status, headers, body } = answers[request.method];
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
