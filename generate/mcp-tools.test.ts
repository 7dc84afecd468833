import { describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { createToolFile } from './mcp-tools.ts';

type Input = { properties?: Record<string, object>; required?: string[]; additionalProperties?: boolean };
type Shown = { annotations: Record<string, boolean>; inputSchema: Input; outputSchema?: object };

const tools = JSON.parse(createToolFile()) as Record<string, { places: Record<string, string>; shown: Shown }>;
const shown = (name: string) => tools[name]?.shown as Shown;

describe('the tools for agents', () => {
  test('are all operations except streams', () => {
    const ids = CONTRACTS.filter(({ stream }) => !stream).map(({ id }) => id);
    expect(ids.length).toBeLessThan(CONTRACTS.length);
    expect(Object.keys(tools)).toEqual(ids);
  });

  test('say which of them cannot be undone, and which only read', () => {
    const named = (hint: string) => Object.keys(tools).filter((name) => shown(name).annotations[hint] === true);
    expect(named('destructiveHint').sort()).toEqual([
      'cancelOrder',
      'deleteCategory',
      'deletePet',
      'deleteWebhook',
      'deliverOrder',
      'mergeCategory',
      'resetSandbox',
      'revokeKey',
      'rotateKey',
      'rotateWebhookSecret',
    ]);
    const reads = CONTRACTS.filter(({ method, stream }) => method === 'GET' && !stream).map(({ id }) => id);
    expect(named('readOnlyHint').sort()).toEqual(reads.sort());
  });

  test('refuse unknown arguments at every level', () => {
    const closed = Object.values(tools).map(({ shown: { inputSchema } }) => inputSchema.additionalProperties);
    expect(closed).toEqual(Object.keys(tools).map(() => false));
    const pets = shown('createPetBatch').inputSchema.properties?.pets as { items: Input };
    expect([pets.items.additionalProperties, pets.items.required]).toEqual([false, ['name', 'categoryId']]);
  });

  test('name the arguments that they need, and where each goes', () => {
    expect(shown('createPet').inputSchema.required).toEqual(['name', 'categoryId']);
    expect(shown('updatePet').inputSchema.required).toEqual(['petId']);
    expect(tools.updatePet?.places).toMatchObject({ petId: 'path', name: 'body', 'If-Match': 'header' });
    expect(tools.listPets?.places).toMatchObject({ status: 'query', cursor: 'query' });
    expect(Object.keys(tools.approveOrder?.places ?? {})).toEqual(['orderId']);
  });

  test('list the values of an argument, unless later versions may add to them', () => {
    expect(shown('createPet').inputSchema.properties?.status).toMatchObject({ enum: ['available', 'pending', 'sold'] });
    expect(shown('listEvents').inputSchema.properties?.type).not.toHaveProperty('enum');
  });
});
