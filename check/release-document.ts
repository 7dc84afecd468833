import { writeRelease } from './release.ts';

console.log(`wrote ${writeRelease().join(', ')}`);
