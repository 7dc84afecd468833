import type { Contract } from '../kernel/contract.ts';
import { rememberLast } from '../kernel/memo.ts';

/** Adds its headers to those of an answer; `base` is where the caller sees this service. */
type AddDeprecation = (headers: Record<string, string>, base: string) => void;

/** Tells of a coming removal (RFC 9745, RFC 8594), on every answer of a deprecated operation. */
export const createDeprecation = ({ deprecation }: Contract): AddDeprecation | undefined => {
  if (!deprecation) return undefined;
  const { successor } = deprecation;
  const since = `@${deprecation.since.getTime() / 1000}`;
  const sunset = deprecation.sunset.toUTCString();
  const linksFrom = rememberLast(
    (base: string) =>
      `<${base}/docs>; rel="deprecation"; type="text/html", <${base}/v1${successor}>; rel="successor-version"`,
  );
  return (headers, base) => {
    const links = linksFrom(base);
    headers.Deprecation = since;
    headers.Sunset = sunset;
    headers.Link = headers.Link ? `${headers.Link}, ${links}` : links;
  };
};
