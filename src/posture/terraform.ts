import type { PolicyDocument } from './reader-policy.ts';

/**
 * A value as HCL writes it inside `jsonencode(…)`, laid out as `terraform fmt` does: the `=` of neighbours of one line
 * stand below one another. Template sequences in strings are kept from being evaluated.
 */
function hcl(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${hcl(item, inner)},\n`).join('')}${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => [key(name), hcl(field, inner)] as const);
    return `{\n${aligned(fields)
      .map((line) => `${inner}${line}\n`)
      .join('')}${indent}}`;
  }
  return JSON.stringify(value).replace(/\$\{/g, '$$$${').replace(/%\{/g, '%%{');
}

function aligned(fields: readonly (readonly [name: string, value: string])[]): string[] {
  const isLong = (at: number) => fields[at]?.[1].includes('\n') ?? true;
  return fields.map(([name, value], at) => {
    if (isLong(at)) return `${name} = ${value}`;
    let [from, to] = [at, at];
    while (!isLong(from - 1)) from--;
    while (!isLong(to)) to++;
    const width = Math.max(...fields.slice(from, to).map(([other]) => other.length));
    return `${name.padEnd(width)} = ${value}`;
  });
}

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

export function policyResource(name: string, description: string, policy: PolicyDocument): string {
  return [
    `resource "aws_iam_policy" "${name}" {`,
    `  name        = "${name.replaceAll('_', '-')}"`,
    `  description = ${JSON.stringify(description)}`,
    '',
    `  policy = jsonencode(${hcl(policy, '  ')})`,
    '}',
    '',
  ].join('\n');
}

/** The audit-reader role whole: who may assume it, what it may read, and nothing else. */
export function readerModule(roleName: string, trust: PolicyDocument, policy: PolicyDocument): string {
  return [
    'resource "aws_iam_role" "audit_reader" {',
    `  name                 = ${JSON.stringify(roleName)}`,
    '  description          = "Reads CloudTrail logs and their protection for trailseal; changes nothing"',
    '  max_session_duration = 3600',
    '',
    `  assume_role_policy = jsonencode(${hcl(trust, '  ')})`,
    '}',
    '',
    policyResource('trailseal_audit_reader', 'Read-only permissions of trailseal', policy),
    'resource "aws_iam_role_policy_attachment" "audit_reader" {',
    '  role       = aws_iam_role.audit_reader.name',
    '  policy_arn = aws_iam_policy.trailseal_audit_reader.arn',
    '}',
    '',
    'output "audit_reader_role_arn" {',
    '  value = aws_iam_role.audit_reader.arn',
    '}',
    '',
  ].join('\n');
}
