export type { Answer, ResponseInfo, WithResponse } from './answer.ts';
export {
  type ClientCode,
  Conflict,
  ConnectionLost,
  type FieldError,
  Forbidden,
  Invalid,
  InvalidSignature,
  NotFound,
  PetstoreError,
  type PetstoreErrorCode,
  RateLimited,
  TimedOut,
  Unauthorized,
  Unavailable,
} from './errors.ts';
export type * from './generated/operations.ts';
export type * from './generated/schemas.ts';
export { writeJson } from './json.ts';
export type { LimitWindow, RateLimits } from './limits.ts';
export type { List, Page } from './list.ts';
export type {
  GuardedOptions,
  PetstoreOptions,
  RequestNote,
  RequestOptions,
  ResponseNote,
  RetryNote,
} from './options.ts';
export { Petstore } from './petstore.ts';
export type { PetstoreRequest } from './request.ts';
export type { StreamOptions } from './stream.ts';
export { type Delivered, type SignOptions, signTestDelivery, type VerifyOptions, verifyWebhook } from './webhook.ts';
