import type { Contract } from '../kernel/contract.ts';

/** Tells of a coming removal (RFC 9745, RFC 8594), on every answer of a deprecated operation. */
export const addDeprecation = (headers: Record<string, string>, { deprecation }: Contract, base: string): void => {
  if (!deprecation) return;
  const { since, sunset, successor } = deprecation;
  const links = [
    ...(headers.Link ? [headers.Link] : []),
    `<${base}/docs>; rel="deprecation"; type="text/html"`,
    `<${base}/v1${successor}>; rel="successor-version"`,
  ];
  headers.Deprecation = `@${since.getTime() / 1000}`;
  headers.Sunset = sunset.toUTCString();
  headers.Link = links.join(', ');
};
