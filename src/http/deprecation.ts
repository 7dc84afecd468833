import type { Contract } from '../kernel/contract.ts';

/** The headers that tell of a coming removal (RFC 9745, RFC 8594), on every answer of a deprecated operation. */
export const deprecationHeaders = ({ deprecation }: Contract, base: string): Record<string, string> => {
  if (!deprecation) return {};
  const { since, sunset, successor } = deprecation;
  return {
    Deprecation: `@${since.getTime() / 1000}`,
    Sunset: sunset.toUTCString(),
    Link: `<${base}/docs>; rel="deprecation"; type="text/html", <${base}/v1${successor}>; rel="successor-version"`,
  };
};
