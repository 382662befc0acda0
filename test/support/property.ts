import fc from 'fast-check';

/** `npm run fuzz` looks further each time; the suite looks at the same inputs each time, so that a red run repeats. */
const CAMPAIGN = process.env['FUZZ_INPUTS'] !== undefined;
const SEED = process.env['FUZZ_SEED'] ?? (CAMPAIGN ? undefined : '20260301');
fc.configureGlobal(SEED === undefined ? {} : { seed: Number(SEED) });

/** How many inputs a property is given: so many in the suite, twenty times as many in a campaign. */
export const runs = (inSuite: number): number => inSuite * (CAMPAIGN ? 20 : 1);

export { fc };
