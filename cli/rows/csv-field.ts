export const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// If a field begins with one of these characters, even after apostrophes, a spreadsheet might run the field as a
// formula (OWASP, CSV Injection).
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

export const spreadsheetField = (value: unknown): string =>
  csvField(typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value);

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
