#!/usr/bin/env -S bun --no-env-file
import './process/one-language.ts';

// Not a static import: those are all loaded before the first of them runs.
await import('./process/program.ts');
