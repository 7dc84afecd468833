/** Does not use `crypto.randomUUID`, because browsers offer it only on https pages. */
export const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
