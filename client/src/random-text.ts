/** 128 random bits: `crypto.randomUUID` is missing in browsers where a page is not served over https. */
export const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
