/** Licences of the libraries in the runtime, by their names in `process.versions`. */
const LINKED: Record<string, string> = {
  ares: 'MIT',
  boringssl: 'several, see its LICENSE file',
  icu: 'Unicode-3.0',
  libarchive: 'several, see its COPYING file',
  libdeflate: 'MIT',
  llhttp: 'MIT',
  lolhtml: 'BSD-3-Clause',
  lshpack: 'MIT',
  mimalloc: 'MIT',
  picohttpparser: 'MIT OR Artistic-1.0-Perl',
  sqlite: 'blessing',
  tinycc: 'LGPL-2.1-only',
  usockets: 'Apache-2.0',
  uwebsockets: 'Apache-2.0',
  webkit: 'LGPL-2.0-only',
  zlib: 'Zlib',
  zstd: 'BSD-3-Clause OR GPL-2.0-only',
};

/** Libraries whose version the runtime does not report. */
const UNVERSIONED: Record<string, string> = { brotli: 'MIT', libbase64: 'BSD-2-Clause', simdutf: 'Apache-2.0' };

/** Entries that are not libraries: interfaces that the runtime emulates, the runtime itself, and its compiler. */
export const NO_LIBRARIES = ['bun', 'modules', 'napi', 'node', 'openssl', 'typescript', 'unicode', 'uv', 'v8', 'zig'];

type RuntimePart = { name: string; version?: string; license: string };

/** Lists the libraries in the runtime. Throws if a library is missing from these tables, which stops the build. */
export const runtimeParts = (versions: Record<string, string | undefined>): RuntimePart[] => {
  const linked = Object.entries(versions).filter(([name]) => !NO_LIBRARIES.includes(name));
  const parts = linked.map(([name, version = '']): RuntimePart => {
    const license = LINKED[name];
    if (license === undefined) throw new Error(`the licence of ${name}, a part of the runtime, is not known`);
    return { name, version, license };
  });
  const others = Object.entries(UNVERSIONED).map(([name, license]) => ({ name, license }));
  return [...parts, ...others].sort((one, other) => one.name.localeCompare(other.name));
};

export const RUNTIME_PARTS = runtimeParts(process.versions);
