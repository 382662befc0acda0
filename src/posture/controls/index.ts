import type { Control } from '../control.ts';
import { ap01 } from './ap-01.ts';
import { ap02 } from './ap-02.ts';
import { cwl01 } from './cwl-01.ts';
import { cwl02 } from './cwl-02.ts';
import { iam01 } from './iam-01.ts';
import { iam02 } from './iam-02.ts';
import { key01 } from './key-01.ts';
import { key02 } from './key-02.ts';
import { key03 } from './key-03.ts';
import { key04 } from './key-04.ts';
import { lake01 } from './lake-01.ts';
import { lake02 } from './lake-02.ts';
import { lake03 } from './lake-03.ts';
import { lake04 } from './lake-04.ts';
import { lake05 } from './lake-05.ts';
import { life01 } from './life-01.ts';
import { life02 } from './life-02.ts';
import { life03 } from './life-03.ts';
import { life04 } from './life-04.ts';
import { lock01 } from './lock-01.ts';
import { lock02 } from './lock-02.ts';
import { lock03 } from './lock-03.ts';
import { lock04 } from './lock-04.ts';
import { lock05 } from './lock-05.ts';
import { lock06 } from './lock-06.ts';
import { log01 } from './log-01.ts';
import { log02 } from './log-02.ts';
import { misc01 } from './misc-01.ts';
import { misc02 } from './misc-02.ts';
import { obj01 } from './obj-01.ts';
import { obj02 } from './obj-02.ts';
import { obj03 } from './obj-03.ts';
import { obj04 } from './obj-04.ts';
import { obj05 } from './obj-05.ts';
import { obj06 } from './obj-06.ts';
import { obj07 } from './obj-07.ts';
import { own01 } from './own-01.ts';
import { own02 } from './own-02.ts';
import { pab01 } from './pab-01.ts';
import { pab02 } from './pab-02.ts';
import { pol01 } from './pol-01.ts';
import { pol02 } from './pol-02.ts';
import { pol03 } from './pol-03.ts';
import { pol04 } from './pol-04.ts';
import { pol05 } from './pol-05.ts';
import { pol06 } from './pol-06.ts';
import { pol07 } from './pol-07.ts';
import { pol08 } from './pol-08.ts';
import { pol09 } from './pol-09.ts';
import { pol10 } from './pol-10.ts';
import { rep01 } from './rep-01.ts';
import { rep02 } from './rep-02.ts';
import { sel01 } from './sel-01.ts';
import { sel02 } from './sel-02.ts';
import { sel03 } from './sel-03.ts';
import { sel04 } from './sel-04.ts';
import { sel05 } from './sel-05.ts';
import { trail01 } from './trail-01.ts';
import { trail02 } from './trail-02.ts';
import { trail03 } from './trail-03.ts';
import { trail04 } from './trail-04.ts';
import { trail05 } from './trail-05.ts';
import { trail06 } from './trail-06.ts';
import { trail07 } from './trail-07.ts';
import { trail08 } from './trail-08.ts';
import { trail09 } from './trail-09.ts';
import { trail11 } from './trail-11.ts';

/** In report order, which is that of the catalogue. A new control is a file here and a line in this list. */
export const CONTROLS: readonly Control[] = [
  trail01,
  trail02,
  trail03,
  trail04,
  trail05,
  trail06,
  trail07,
  trail08,
  trail09,
  trail11,
  sel01,
  sel02,
  sel03,
  sel04,
  sel05,
  key01,
  key02,
  key03,
  key04,
  cwl01,
  cwl02,
  lock01,
  lock02,
  lock03,
  lock04,
  lock05,
  lock06,
  life01,
  life02,
  life03,
  life04,
  pol01,
  pol02,
  pol03,
  pol04,
  pol05,
  pol06,
  pol07,
  pol08,
  pol09,
  pol10,
  pab01,
  pab02,
  own01,
  own02,
  misc01,
  misc02,
  ap01,
  ap02,
  rep01,
  rep02,
  log01,
  log02,
  iam01,
  iam02,
  obj01,
  obj02,
  obj03,
  obj04,
  obj05,
  obj06,
  obj07,
  lake01,
  lake02,
  lake03,
  lake04,
  lake05,
];
