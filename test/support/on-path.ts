import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether there is such a program to start. Asking the program itself takes a large one a second each time. */
export const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
