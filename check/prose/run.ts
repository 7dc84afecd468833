import { parseArgs } from 'node:util';
import { lintProse, listSurface, readProse } from './prose.ts';
import { SURFACE_NAMES } from './surfaces.ts';

const { list } = parseArgs({ options: { list: { type: 'string' } } }).values;

if (list === undefined) {
  const { faults, figures } = await lintProse(readProse());
  console.log([...faults, figures].join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
} else if (SURFACE_NAMES.includes(list)) {
  console.log(listSurface(list, readProse()).join('\n'));
} else {
  console.error(`--list takes one of: ${SURFACE_NAMES.join(', ')}`);
  process.exitCode = 2;
}
