import { type Contract, MAX_ROWS } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { ExcessiveJson, type JsonBounds, parseJson } from '../../kernel/json.ts';

export type BodyBounds = { bytes: number; spelled: string; json: JsonBounds };

/**
 * Without these limits, parsing 64 KiB of JSON can take a hundred times as long as adding a pet. With them, it takes at
 * most three times as long. Valid bodies stay below the limits: a webhook with every event type has 26 values, and a
 * name of 255 escaped characters has 510 escapes. RFC 8259 (section 9) allows parsers to set limits.
 */
export const ONE_ROW: BodyBounds = {
  bytes: 64 * 1024,
  spelled: '64 KiB (65,536 bytes)',
  json: { depth: 32, values: 80, escapes: 640, digits: 40, doubtful: 8 },
};

export const MANY_ROWS: BodyBounds = {
  bytes: 1024 * 1024,
  spelled: '1 MiB (1,048,576 bytes)',
  json: { depth: 32, values: 10 * MAX_ROWS, escapes: 64 * MAX_ROWS, digits: 40, doubtful: MAX_ROWS },
};

export const bodyBoundsOf = ({ batchOf }: Contract): BodyBounds => (batchOf === undefined ? ONE_ROW : MANY_ROWS);

export const mediaTypesOf = ({ method }: Contract): readonly string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];

const MAX_WHILE_WAITING = 16 * 1024;

/**
 * The runtime keeps a body in memory until the response is sent, so a request with a large body must not queue unless
 * its key is known.
 */
export const mayBeLarge = ({ headers }: Request): boolean =>
  headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MAX_WHILE_WAITING;

const tooLarge = ({ spelled }: BodyBounds) => new Failure('payload_too_large', `The body must be at most ${spelled}.`);

const UTF8 = ['charset=utf-8', 'charset="utf-8"'];

const checkMediaType = (headers: Headers, accepted: readonly string[]): void => {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  if (!accepted.includes(type.trim()) || !UTF8.includes(charset ?? 'charset=utf-8')) {
    throw new Failure(
      'unsupported_media_type',
      `Send the body in UTF-8, with \`Content-Type: ${accepted.join('` or `')}\`.`,
    );
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Failure(
      'unsupported_media_type',
      'Send the body without `Content-Encoding`: compressed bodies are not accepted.',
    );
  }
};

const readCounted = async (body: ReadableStream<Uint8Array>, bounds: BodyBounds): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bounds.bytes) throw tooLarge(bounds);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const readBody = async (request: Request, accepted: readonly string[] | undefined, bounds: BodyBounds) => {
  const declared = request.headers.get('content-length');
  // The stream `request.body` is used only if the size is unknown, because creating it costs more than reading the
  // body.
  if (declared === null ? request.body === null : Number(declared) === 0) return undefined;
  if (accepted) checkMediaType(request.headers, accepted);
  if (declared !== null && Number(declared) > bounds.bytes) throw tooLarge(bounds);
  try {
    return declared === null
      ? await readCounted(request.body as ReadableStream<Uint8Array>, bounds)
      : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The connection closed before the body was complete.');
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const parseBytes = (bytes: Uint8Array, bounds: JsonBounds, what = 'The body'): unknown => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Failure('invalid_json', `${what} must be valid UTF-8.`);
  }
  try {
    return parseJson(text, bounds);
  } catch (error) {
    const fault = error instanceof ExcessiveJson ? error.message : 'is not valid JSON';
    throw new Failure('invalid_json', `${what} ${fault}.`);
  }
};

export const noBody = () => new Failure('invalid_request', 'The request must have a JSON body.');

export const parseBody = (bytes: Uint8Array | undefined, optional: boolean, bounds: BodyBounds): unknown => {
  if (optional && !bytes) return {};
  if (!bytes || bytes.length === 0) throw noBody();
  return parseBytes(bytes, bounds.json);
};
