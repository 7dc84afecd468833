import type { Passage } from './passage.ts';

type Surface = { name: string; files: RegExp; context?: RegExp };

const SURFACES: readonly Surface[] = [
  { name: 'metrics', files: /^src\//, context: /\bmetrics\.|^(?:counter|gauge|histogram)$/ },
  { name: 'metrics', files: /^(?:src\/compose\/metrics\.ts|generate\/dashboard\.ts|deploy\/)/ },
  { name: 'mcp', files: /^src\/mcp\// },
  { name: 'console', files: /^console\// },
  { name: 'cli', files: /^(?:cli\/|src\/ops\/|src\/main\.ts|src\/config\.ts|generate\/completion\/)/ },
  { name: 'log', files: /^src\//, context: /\blog\.\w+$|^(?:Error|TypeError|RangeError)$/ },
  { name: 'client', files: /^client\/src\// },
  { name: 'api', files: /^(?:src|generate)\// },
  { name: 'development', files: /^(?:bench|build|check|prove)\// },
];

export const SURFACE_NAMES = [...new Set(SURFACES.map(({ name }) => name))];

export const surfaceOf = (path: string, { kind, context }: Passage): string | undefined =>
  kind === 'string'
    ? SURFACES.find(
        (surface) =>
          surface.files.test(path) && (!surface.context || context.some((name) => surface.context?.test(name))),
      )?.name
    : undefined;
