/** JSON with every integer digit for digit. */
export const showJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one), indent);
