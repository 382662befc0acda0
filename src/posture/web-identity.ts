/** `token.actions.githubusercontent.com`, of the ARN of its OIDC provider; `null` for any other principal. */
export function issuerOf(principal: string): string | null {
  return /^arn:[\w-]+:iam::\d{12}:oidc-provider\/([\w.:/-]+)$/.exec(principal)?.[1] ?? null;
}

/**
 * Whether a subject names somebody: all of it, or up to the end of the first name, as `repo:ORG/*` does. `repo:*` is
 * every repository of the world, and `repo:ORG*` those of `ORG-and-more` too.
 */
export function namesSomebody(subject: string): boolean {
  const [named = ''] = subject.split(/[*?]|\$\{/);
  return subject !== '' && (named === subject || /:[^:/]+[:/]/.test(named));
}
