import { writeGenerated } from './generated.ts';

for (const path of writeGenerated()) console.log(`wrote ${path}`);
