export const TARGETS = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-x64-musl': '@oven/bun-linux-x64-musl',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'linux-arm64-musl': '@oven/bun-linux-aarch64-musl',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
  'windows-x64': '@oven/bun-windows-x64',
  'windows-arm64': '@oven/bun-windows-aarch64',
} as const;

export type Target = keyof typeof TARGETS;

export const endingOf = (target: Target): string => (target.startsWith('windows') ? '.exe' : '');

export const isTarget = (name: string): name is Target => Object.hasOwn(TARGETS, name);
