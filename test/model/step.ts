export type Step = {
  kind:
    | 'createPet'
    | 'updatePet'
    | 'deletePet'
    | 'readPet'
    | 'placeOrder'
    | 'approveOrder'
    | 'deliverOrder'
    | 'cancelOrder'
    | 'readOrder'
    | 'createCategory'
    | 'updateCategory'
    | 'readInventory';
  id?: number;
  body?: Record<string, unknown>;
  ifMatch?: string;
  idempotencyKey?: string;
};

export type Answer = {
  status: number;
  code?: string | undefined;
  body?: unknown;
  etag?: string | null;
  replayed?: boolean;
};

const ORDERS = '/v1/store/orders';

const ADDRESSES: Record<Step['kind'], (id: number | undefined) => [method: string, path: string]> = {
  createPet: () => ['POST', '/v1/pets'],
  updatePet: (id) => ['PATCH', `/v1/pets/${id}`],
  deletePet: (id) => ['DELETE', `/v1/pets/${id}`],
  readPet: (id) => ['GET', `/v1/pets/${id}`],
  placeOrder: () => ['POST', ORDERS],
  approveOrder: (id) => ['POST', `${ORDERS}/${id}/approve`],
  deliverOrder: (id) => ['POST', `${ORDERS}/${id}/deliver`],
  cancelOrder: (id) => ['POST', `${ORDERS}/${id}/cancel`],
  readOrder: (id) => ['GET', `${ORDERS}/${id}`],
  createCategory: () => ['POST', '/v1/categories'],
  updateCategory: (id) => ['PATCH', `/v1/categories/${id}`],
  readInventory: () => ['GET', '/v1/store/inventory'],
};

export type Asked = { step: Step; heard?: Answer & { requestId: string } };

export const isPost = ({ kind }: Step): boolean => ADDRESSES[kind](0)[0] === 'POST';

export const ask = async (origin: string, key: string, step: Step): Promise<Asked> => {
  const [method, path] = ADDRESSES[step.kind](step.id);
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (step.body) headers['Content-Type'] = 'application/json';
  if (step.ifMatch !== undefined) headers['If-Match'] = step.ifMatch;
  if (step.idempotencyKey !== undefined) headers['Idempotency-Key'] = step.idempotencyKey;
  try {
    const answer = await fetch(origin + path, {
      method,
      headers,
      ...(step.body ? { body: JSON.stringify(step.body) } : {}),
    });
    const text = await answer.text();
    const body = text === '' ? undefined : JSON.parse(text);
    const heard = {
      status: answer.status,
      code: answer.status >= 400 ? body.code : undefined,
      body,
      etag: answer.headers.get('etag'),
      replayed: answer.headers.has('idempotent-replayed'),
      requestId: answer.headers.get('x-request-id') ?? '',
    };
    return { step, heard };
  } catch {
    return { step };
  }
};
