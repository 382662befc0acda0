/** What a rule book asks for. Days are counted as 365 a year, which never asks for more than the text does. */
export interface Regime {
  readonly title: string;
  /** Days a log must be kept under retention. */
  readonly days: number;
  /** Days of them that must be readable at once, without a restore. */
  readonly hotDays: number;
  /** What the number does not prove; printed with every run that uses the preset. */
  readonly caveat: string;
}

export const REGIMES = {
  pci: {
    title: 'PCI DSS v4.0.1, 10.5.1',
    days: 365,
    hotDays: 90,
    caveat:
      '12 months of audit logs, the last 3 months immediately available; other requirements of PCI DSS are not judged here.',
  },
  hipaa: {
    title: 'HIPAA, 45 CFR 164.316(b)(2)(i)',
    days: 2190,
    hotDays: 90,
    caveat:
      'recommended, not mandated: the rule asks for 6 years for required documentation, and whether audit logs are part of it is interpretation (6 calendar years with leap days are 2192 days).',
  },
  sox: {
    title: 'SOX, 17 CFR 210.2-06',
    days: 2555,
    hotDays: 90,
    caveat:
      "common practice, not mandated: the rule binds the auditor's own records for 7 years; no rule sets a period for a company's system logs (7 calendar years with leap days are 2557 days).",
  },
  sec17a4: {
    title: 'SEC 17a-4',
    days: 2190,
    hotDays: 730,
    caveat:
      '6 years, the first 2 easily accessible. Since 2022 an audit-trail alternative to WORM exists; this preset judges WORM only.',
  },
  m2131: {
    title: 'OMB M-21-31',
    days: 913,
    hotDays: 365,
    caveat: '12 months active and 18 months cold storage; binding on United States federal agencies, by log category.',
  },
} as const satisfies Record<string, Regime>;

export type RegimeName = keyof typeof REGIMES;

/** What is asked for where neither the config nor a regime says anything. */
export const DEFAULT_RETENTION = { lock: 'COMPLIANCE', days: 365, hotDays: 90 } as const;

/** The strictest of several regimes, figure by figure; the defaults where there are none. */
export function demandOf(regimes: readonly RegimeName[]): { readonly days: number; readonly hotDays: number } {
  if (regimes.length === 0) return { days: DEFAULT_RETENTION.days, hotDays: DEFAULT_RETENTION.hotDays };
  return {
    days: Math.max(...regimes.map((name) => REGIMES[name].days)),
    hotDays: Math.max(...regimes.map((name) => REGIMES[name].hotDays)),
  };
}

/** One line for each regime in use, for the head of a report. */
export function caveats(regimes: readonly RegimeName[]): string[] {
  return regimes.map((name) => `${REGIMES[name].title}: ${REGIMES[name].caveat}`);
}
