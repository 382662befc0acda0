/** Frameworks in the order reports show them, with the word put before a number; Security Hub's ids stand alone. */
export const FRAMEWORKS = {
  cis: { title: 'CIS AWS Foundations v3.0 and v5.0', tag: 'CIS ' },
  fsbp: { title: 'AWS Foundational Security Best Practices', tag: '' },
  nist: { title: 'NIST SP 800-53 r5', tag: 'NIST ' },
  pci: { title: 'PCI DSS v4.0.1', tag: 'PCI ' },
  soc2: { title: 'SOC 2', tag: 'SOC2 ' },
  iso: { title: 'ISO/IEC 27001:2022', tag: 'ISO ' },
  hipaa: { title: 'HIPAA 45 CFR', tag: 'HIPAA ' },
  nis2: { title: 'NIS2, CIR (EU) 2024/2690 annex', tag: 'NIS2 ' },
} as const;

export type Framework = keyof typeof FRAMEWORKS;

export interface Mapping {
  readonly controls: readonly string[];
  readonly refs: { readonly [framework in Framework]?: readonly string[] };
}

/** Numbers as the published mappings of Security Hub, Prowler and Steampipe have them, ours where they have none. */
export const MAPPINGS: readonly Mapping[] = [
  {
    controls: ['TRAIL-01', 'TRAIL-02', 'TRAIL-03', 'TRAIL-04', 'SEL-01'],
    refs: {
      cis: ['3.1'],
      fsbp: ['CloudTrail.1', 'CloudTrail.3'],
      nist: [
        'AU-2',
        'AU-3',
        'AU-6(3)',
        'AU-6(4)',
        'AU-10',
        'AU-12',
        'AU-14(1)',
        'AC-2(4)',
        'AC-6(9)',
        'CA-7',
        'SI-4(20)',
        'SI-7(8)',
      ],
      pci: ['10.2.1', '10.2.2', '10.3.1', '10.6.3'],
      soc2: ['CC2.1', 'CC7.2', 'A1.2'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.308(a)(1)(ii)(D)', '164.308(a)(3)(ii)(A)', '164.308(a)(6)(ii)', '164.312(b)'],
      nis2: ['3.1.2.a', '3.2.3.c', '3.4.2.c'],
    },
  },
  { controls: ['TRAIL-05'], refs: { cis: ['3.1'], nist: ['AU-12(1)'], iso: ['A.8.15'] } },
  {
    controls: ['TRAIL-06', 'POL-08', 'POL-10', 'MISC-01'],
    refs: {
      cis: ['3.1'],
      nist: ['AU-5', 'AU-5(2)'],
      pci: ['10.7.2', '10.7.3'],
      soc2: ['CC7.2'],
      iso: ['A.8.15'],
      hipaa: ['164.312(b)'],
      nis2: ['3.2.3'],
    },
  },
  {
    controls: ['TRAIL-07', 'TRAIL-08'],
    refs: {
      cis: ['3.2'],
      fsbp: ['CloudTrail.4'],
      nist: ['AU-9', 'SI-4', 'SI-7(1)', 'SI-7(3)', 'SI-7(7)'],
      pci: ['10.3.2', '10.3.3', '10.3.4', 'A1.2.1'],
      soc2: ['CC7.3'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.312(b)', '164.312(c)(1)', '164.312(c)(2)'],
      nis2: ['3.4.2.d'],
    },
  },
  {
    controls: ['TRAIL-09'],
    refs: {
      nist: ['AU-9(2)'],
      pci: ['10.3.3'],
      soc2: ['CC7.2'],
      iso: ['A.8.15'],
      hipaa: ['164.312(c)(1)'],
      nis2: ['3.2.5'],
    },
  },
  {
    controls: ['SEL-02'],
    refs: {
      cis: ['3.8'],
      fsbp: ['S3.22'],
      nist: ['AU-2', 'AU-12', 'AC-2(4)', 'AC-6(9)'],
      pci: ['10.2.1', '10.2.2', '10.3.1'],
      soc2: ['CC2.1', 'CC7.2'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.308(a)(1)(ii)(D)', '164.312(b)'],
      nis2: ['3.2.3.c', '3.2.3.g'],
    },
  },
  {
    controls: ['SEL-03'],
    refs: {
      cis: ['3.9'],
      fsbp: ['S3.23'],
      nist: ['AU-2', 'AU-12', 'AC-2(4)', 'AC-6(9)'],
      pci: ['10.2.1', '10.2.2', '10.3.1'],
      soc2: ['CC2.1', 'CC7.2'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.308(a)(1)(ii)(D)', '164.312(b)'],
      nis2: ['3.2.3.c', '3.2.3.g', '3.4.2.c'],
    },
  },
  {
    controls: ['KEY-01', 'KEY-02'],
    refs: {
      cis: ['3.5'],
      fsbp: ['CloudTrail.2'],
      nist: ['AU-9', 'AU-9(3)', 'SC-13', 'SC-28', 'SC-28(1)', 'SI-7(6)'],
      pci: ['10.3.2', '10.3.3', '10.3.4', '3.5.1', '8.3.2', 'A1.2.1'],
      soc2: ['CC6.1'],
      iso: ['A.8.11', 'A.8.15', 'A.8.24'],
      hipaa: ['164.312(a)(2)(iv)', '164.312(c)(1)', '164.312(e)(2)(ii)'],
      nis2: ['9.2.a'],
    },
  },
  {
    controls: ['KEY-03'],
    refs: {
      cis: ['3.6'],
      fsbp: ['KMS.4'],
      nist: ['SC-12', 'SC-12(2)', 'SC-12(6)'],
      pci: ['3.7.4', '3.7.5'],
      soc2: ['PI1.5'],
      iso: ['A.8.24'],
      hipaa: ['164.312(a)(2)(iv)'],
      nis2: ['9.2.c'],
    },
  },
  {
    controls: ['CWL-01'],
    refs: {
      fsbp: ['CloudTrail.5'],
      nist: ['AU-6(1)', 'AU-6(3)', 'AU-6(4)', 'AU-6(5)', 'AU-7(1)', 'AC-2(4)', 'SI-4(5)', 'SI-20'],
      pci: ['10.4.1.1', '10.6.3', '11.5.2', '11.6.1', '12.10.5'],
      soc2: ['CC7.2', 'CC7.3', 'A1.2'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.308(a)(1)(ii)(D)', '164.308(a)(6)(ii)', '164.312(b)'],
      nis2: ['3.2.3.c', '3.2.3.g', '3.4.2.c'],
    },
  },
  {
    controls: ['CWL-02'],
    refs: {
      fsbp: ['CloudWatch.16'],
      nist: ['AU-11', 'AU-11(1)'],
      pci: ['10.5.1'],
      soc2: ['CC7.2', 'C1.2'],
      iso: ['A.8.15'],
      hipaa: ['164.312(b)'],
      nis2: ['3.2.5'],
    },
  },
  {
    controls: ['LOCK-01', 'LOCK-02', 'LOCK-03', 'LOCK-06'],
    refs: {
      fsbp: ['S3.15'],
      nist: ['CP-6(2)', 'AU-9', 'AU-9(2)', 'AU-11'],
      pci: ['10.5.1', '10.3.4'],
      soc2: ['C1.1', 'CC6.1', 'PI1.5'],
      iso: ['A.5.33', 'A.8.15'],
      hipaa: ['164.308(a)(1)(ii)(B)', '164.312(c)(1)'],
      nis2: ['3.2.5'],
    },
  },
  {
    controls: ['LOCK-04'],
    refs: {
      fsbp: ['S3.14'],
      nist: ['AU-9(2)', 'CP-9', 'CP-10', 'SI-12', 'SI-13(5)'],
      pci: ['10.3.4'],
      soc2: ['A1.2', 'CC7.4', 'C1.2'],
      iso: ['A.8.3', 'A.8.10', 'A.8.13'],
      hipaa: ['164.308(a)(7)', '164.312(c)(1)', '164.312(c)(2)'],
      nis2: ['12.2.2'],
    },
  },
  {
    controls: ['LOCK-05'],
    refs: {
      cis: ['2.1.2'],
      fsbp: ['S3.20'],
      nist: ['CA-9(1)', 'CM-2', 'CM-2(2)', 'CM-3', 'SC-5(2)'],
      pci: ['10.3.2', '3.5.1.3', '8.4.1', '8.4.2', '8.4.3'],
      soc2: ['CC6.1'],
      iso: ['A.8.5'],
      hipaa: ['164.312(d)'],
      nis2: ['11.7.2'],
    },
  },
  {
    controls: ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04'],
    refs: {
      fsbp: ['S3.10', 'S3.13'],
      nist: ['AU-11', 'CP-10', 'SC-5(2)', 'SI-12'],
      pci: ['10.5.1'],
      soc2: ['C1.2'],
      iso: ['A.8.10', 'A.5.33'],
      hipaa: ['164.316(b)(2)(i)'],
      nis2: ['3.2.5', '12.2.2.a'],
    },
  },
  {
    controls: ['POL-01', 'POL-02', 'POL-03', 'POL-04', 'POL-05', 'POL-09', 'KEY-04'],
    refs: {
      cis: ['2.1.4'],
      fsbp: ['S3.6'],
      nist: ['AC-3', 'AC-6', 'AU-9', 'AU-9(4)', 'CA-9(1)', 'CM-2'],
      pci: ['7.2.1', '7.2.2', '7.2.5', '7.3.1', '7.3.2', '7.3.3', '10.3.1', '10.3.2'],
      soc2: ['CC6.1', 'CC6.3'],
      iso: ['A.5.15', 'A.8.3', 'A.8.15'],
      hipaa: ['164.312(a)(1)', '164.312(c)(1)'],
      nis2: ['11.2.2', '3.2.5'],
    },
  },
  {
    controls: ['POL-06'],
    refs: {
      cis: ['2.1.1'],
      fsbp: ['S3.5'],
      nist: ['AC-17(2)', 'SC-8', 'SC-8(1)', 'SC-13', 'SC-23'],
      pci: ['4.2.1', '4.2.1.1', '2.2.7', '8.3.2'],
      soc2: ['CC6.1', 'CC6.7'],
      iso: ['A.8.24'],
      hipaa: ['164.312(e)(1)', '164.312(e)(2)(i)', '164.312(e)(2)(ii)'],
      nis2: ['9.2.a'],
    },
  },
  {
    controls: ['POL-07', 'PAB-01', 'PAB-02', 'OWN-01', 'OWN-02'],
    refs: {
      cis: ['2.1.4'],
      fsbp: ['CloudTrail.6', 'S3.1', 'S3.2', 'S3.3', 'S3.8', 'S3.12'],
      nist: ['AC-3', 'AC-4', 'AC-6', 'AC-21', 'SC-7'],
      pci: ['1.3.1', '1.4.2', '1.4.4', '10.3.2', 'A1.1.2'],
      soc2: ['CC6.1', 'CC6.6'],
      iso: ['A.8.1', 'A.8.15'],
      hipaa: ['164.308(a)(3)(i)', '164.312(a)(1)'],
      nis2: ['3.2.3.c'],
    },
  },
  {
    controls: ['AP-01', 'AP-02'],
    refs: {
      fsbp: ['S3.19', 'S3.24'],
      nist: ['AC-3', 'SC-7'],
      pci: ['1.3.1', '1.4.4', '10.3.2'],
      soc2: ['CC6.1'],
      iso: ['A.8.3'],
      hipaa: ['164.312(a)(1)'],
      nis2: ['11.2.2'],
    },
  },
  {
    controls: ['REP-01', 'REP-02'],
    refs: {
      fsbp: ['S3.7'],
      nist: ['AU-9(2)', 'CP-6', 'CP-6(1)', 'CP-6(2)', 'CP-9', 'SI-13(5)'],
      pci: ['10.3.3'],
      soc2: ['A1.2', 'CC7.4'],
      iso: ['A.8.13', 'A.8.14'],
      hipaa: ['164.308(a)(7)(ii)(A)'],
      nis2: ['4.2'],
    },
  },
  {
    controls: ['LOG-01', 'LOG-02', 'SEL-04'],
    refs: {
      cis: ['3.4'],
      fsbp: ['CloudTrail.7', 'S3.9'],
      nist: ['AU-2', 'AU-3', 'AU-12', 'SI-7(8)'],
      pci: ['10.2.1'],
      soc2: ['CC7.2'],
      iso: ['A.8.15', 'A.8.16'],
      hipaa: ['164.312(b)'],
      nis2: ['3.2.3.c', '11.1.1', '11.2.2.f'],
    },
  },
  {
    controls: ['IAM-01', 'IAM-02'],
    refs: {
      nist: ['AC-6', 'AU-9(4)'],
      pci: ['7.2.1', '7.2.2', '10.3.1'],
      soc2: ['CC6.3'],
      iso: ['A.5.15', 'A.8.2'],
      hipaa: ['164.308(a)(4)'],
      nis2: ['11.2.2.a'],
    },
  },
  {
    controls: ['OBJ-01', 'OBJ-02', 'OBJ-03', 'OBJ-04', 'OBJ-05', 'OBJ-06', 'OBJ-07'],
    refs: {
      nist: ['AU-9', 'AU-9(3)', 'AU-11'],
      pci: ['10.3.3', '10.3.4', '10.5.1'],
      soc2: ['CC7.2', 'C1.1'],
      iso: ['A.5.33', 'A.8.15'],
      hipaa: ['164.312(c)(1)', '164.316(b)(2)(i)'],
      nis2: ['3.2.5'],
    },
  },
  {
    controls: ['LAKE-01', 'LAKE-02', 'LAKE-03', 'LAKE-04', 'LAKE-05'],
    refs: {
      fsbp: ['CloudTrail.10'],
      nist: ['AU-11'],
      pci: ['10.5.1'],
      soc2: ['CC7.2'],
      iso: ['A.8.15'],
      nis2: ['3.2.5'],
    },
  },
];

/** The numbers auditors know this control by; empty for pure hygiene. */
export function references(control: string): readonly string[] {
  const refs = MAPPINGS.find(({ controls }) => controls.includes(control))?.refs ?? {};
  return (Object.keys(FRAMEWORKS) as Framework[]).flatMap((framework) =>
    (refs[framework] ?? []).map((number) => `${FRAMEWORKS[framework].tag}${number}`),
  );
}
