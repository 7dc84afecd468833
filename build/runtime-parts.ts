import type { Target } from './targets.ts';

type Terms = readonly [license: string, copyright: string];

const LITESPEED = 'LiteSpeed Technologies Inc';
const HULTMAN = 'Alex Hultman and contributors';
const NODE = 'Joyent, Inc. and other Node contributors';
const HALLIDAY = 'James Halliday';
const ACORN = '2012-2020 by various contributors';

const LINKED: Record<string, Terms> = {
  ares: ['MIT', '2007-2023 Daniel Stenberg with many contributors'],
  boringssl: [
    'Apache-2.0 AND ISC AND MIT AND OpenSSL',
    'The BoringSSL Authors, The OpenSSL Project Authors, Google Inc., Eric Young, the fiat-crypto authors',
  ],
  icu: ['Unicode-3.0 AND BSD-3-Clause', '2016-2026 Unicode, Inc.; 2006-2011 the V8 project authors'],
  libarchive: ['BSD-2-Clause AND BSD-3-Clause', 'Tim Kientzle and others; The Regents of the University of California'],
  libdeflate: ['MIT', '2016 Eric Biggers; 2024 Google LLC'],
  llhttp: ['MIT', '2018 Fedor Indutny'],
  lolhtml: ['BSD-3-Clause', '2019 Cloudflare, Inc.; 2019 Ivan Nikulin'],
  lshpack: ['MIT', `2018 ${LITESPEED}`],
  mimalloc: ['MIT', '2018-2026 Microsoft Corporation, Daan Leijen'],
  picohttpparser: [
    'MIT OR Artistic-1.0-Perl',
    '2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase, Shigeo Mitsunari',
  ],
  sqlite: ['blessing', 'none: in the public domain'],
  tinycc: ['LGPL-2.1-only', '2001-2004 Fabrice Bellard, and the TinyCC contributors'],
  usockets: ['Apache-2.0', HULTMAN],
  uwebsockets: ['Apache-2.0', HULTMAN],
  webkit: ['LGPL-2.0-only AND BSD-2-Clause AND BSD-3-Clause', 'Apple Inc., Google Inc. and the WebKit contributors'],
  zlib: ['Zlib', '1995-2025 Jean-loup Gailly and Mark Adler, and the zlib-ng contributors'],
  zstd: ['BSD-3-Clause OR GPL-2.0-only', 'Meta Platforms, Inc. and affiliates'],
};

const UNVERSIONED: Record<string, Terms> = {
  acorn: ['MIT', ACORN],
  'acorn-walk': ['MIT', ACORN],
  assert: ['MIT', NODE],
  brotli: ['MIT', '2013-2015 by the Brotli Authors'],
  'browserify-zlib': ['MIT', `2014-2015 Devon Govett; ${NODE}`],
  buffer: ['MIT', 'Feross Aboukhadijeh, and other contributors'],
  'constants-browserify': ['MIT', '2013 Julian Gruber'],
  'crypto-browserify': ['MIT', '2013 Dominic Tarr'],
  'domain-browser': ['MIT', 'Benjamin Lupton and contributors'],
  esbuild: ['MIT', '2020 Evan Wallace'],
  events: ['MIT', NODE],
  highway: ['Apache-2.0 OR BSD-3-Clause', 'the Highway Project Authors'],
  'https-browserify': ['MIT', HALLIDAY],
  libbase64: [
    'BSD-2-Clause',
    '2005-2007 Nick Galbreath; 2015-2017 Wojciech Mula; 2016-2017 Matthieu Darbois; 2013-2022 Alfred Klomp',
  ],
  'libc++abi': ['Apache-2.0 WITH LLVM-exception', 'the LLVM contributors'],
  'libjpeg-turbo': [
    'IJG AND BSD-3-Clause AND Zlib',
    '1991-2026 The libjpeg-turbo Project and many others, Thomas G. Lane, Guido Vollbeding',
  ],
  libspng: ['BSD-2-Clause', '2018-2023 Randy'],
  libuv: ['MIT', `2015-present libuv project contributors; ${NODE}`],
  libwebp: ['BSD-3-Clause', '2010 Google Inc.'],
  'ls-qpack': ['MIT', `2018-2021 ${LITESPEED}`],
  lsquic: ['MIT AND BSD-3-Clause', `2017-2018 ${LITESPEED}; The Chromium Authors`],
  'os-browserify': ['MIT', '2017 CoderPuppy'],
  'path-browserify': ['MIT', `2013 ${HALLIDAY}`],
  process: ['MIT', '2013 Roman Shtylman'],
  punycode: ['MIT', 'Mathias Bynens'],
  'querystring-es3': ['MIT', '2012 Irakli Gozalishvili'],
  simdutf: ['Apache-2.0 OR MIT', '2021 The simdutf authors'],
  'stream-browserify': ['MIT', HALLIDAY],
  'stream-http': ['MIT', '2015 John Hiesey'],
  string_decoder: ['MIT', NODE],
  tigerbeetle: ['Apache-2.0', 'TigerBeetle, Inc.'],
  'timers-browserify': ['MIT', `2012 J. Ryan Stinnett; ${NODE}`],
  'tty-browserify': ['MIT', HALLIDAY],
  url: ['MIT', `2014 ${NODE}`],
  util: ['MIT', NODE],
  uucode: ['MIT', 'Jacob Sandlund'],
  'vm-browserify': ['MIT', HALLIDAY],
};

const ON_WINDOWS = ['libuv', 'tigerbeetle'];

/**
 * Entries in `process.versions` that are not libraries. For example, `node` is an interface that Bun emulates, and
 * `bun` is the runtime itself.
 */
export const NO_LIBRARIES = ['bun', 'modules', 'napi', 'node', 'openssl', 'typescript', 'unicode', 'uv', 'v8', 'zig'];

type RuntimePart = { name: string; version?: string; license: string; copyright: string };

export const runtimeParts = (versions: Record<string, string | undefined>): RuntimePart[] => {
  const linked = Object.entries(versions).filter(([name]) => !NO_LIBRARIES.includes(name));
  const parts = linked.map(([name, version = '']): RuntimePart => {
    const terms = LINKED[name];
    if (terms === undefined) throw new Error(`the licence of ${name}, a part of the runtime, is not known`);
    return { name, version, license: terms[0], copyright: terms[1] };
  });
  const others = Object.entries(UNVERSIONED).map(([name, [license, copyright]]) => ({ name, license, copyright }));
  return [...parts, ...others].sort((one, other) => one.name.localeCompare(other.name));
};

export const RUNTIME_PARTS = runtimeParts(process.versions);

export const runtimePartsOf = (target: Target): RuntimePart[] =>
  RUNTIME_PARTS.filter(({ name }) => target.startsWith('windows') || !ON_WINDOWS.includes(name));

export const licenseIds = (expression: string): string[] =>
  expression.split(' AND ').map((term) => term.replace(/ (OR|WITH) .*/, ''));
