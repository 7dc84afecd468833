import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { CLIENTS } from './test/generated-clients/clients.ts';
import { runCommand } from './test/generated-clients/run-command.ts';
import { startService } from './test/service.ts';
import { patch } from '/tmp/c4/full.mjs';
const service = await startService();
const doc = (await service.get('/openapi.json')).body;
for (const [i, c] of CLIENTS.entries()) {
  if (process.argv[2] && !c.name.includes(process.argv[2])) continue;
  const dir = `/tmp/c4/trial-${i}`; rmSync(dir, { recursive: true, force: true }); mkdirSync(dir);
  writeFileSync(`${dir}/openapi.json`, JSON.stringify(process.argv[3] === 'raw' ? doc : patch(structuredClone(doc))));
  try {
    let t = performance.now();
    const tour = await c.make(dir);
    console.log(c.name, 'made in', ((performance.now() - t) / 1000).toFixed(1)); t = performance.now();
    const key = await service.issueKey({ storeId: i + 2, plan: 'enterprise', limits: { perMinute: 6000, perDay: 1e10 }, scopes: ['pets:read', 'pets:write', 'orders:write', 'events:read'] });
    const pet = await service.post('/v1/pets', `{"name":"Methuselah","categoryId":9223372036854775807}`, { key });
    await service.post('/v1/store/orders', { petId: pet.body.id }, { key });
    console.log(JSON.parse(await runCommand({ ...tour, environment: { ...tour.environment, PETSTORE_URL: service.url('/v1'), PETSTORE_API_KEY: key } })));
    console.log('toured in', ((performance.now() - t) / 1000).toFixed(1));
  } catch (e) { console.log(c.name, 'FAILED', (e as Error).message.slice(0, 6000)); }
}
await service.stop();
