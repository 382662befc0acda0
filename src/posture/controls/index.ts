import type { Control } from '../control.ts';
import { lock02 } from './lock-02.ts';
import { trail07 } from './trail-07.ts';

/** In report order. A new control is a file here and a line in this list. */
export const CONTROLS: readonly Control[] = [trail07, lock02];
