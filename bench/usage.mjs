// Loaded into the measured process by `--import`: leaves its CPU time and the peak of its memory behind when it ends.
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakKb: peakKb() ?? maxRSS }),
  );
});

/** Of this program alone; `maxRSS` on Linux still holds that of the one that started it. */
function peakKb() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
