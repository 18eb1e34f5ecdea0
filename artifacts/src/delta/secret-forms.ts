/** Secrets that can be told by their form. What has none of its own (a password) nobody can tell from any other text. */

const FORMS: readonly (readonly [form: RegExp, kind: string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/, 'a private key'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/, 'a key of AWS'],
  [/\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{22,})/, 'a token of GitHub'],
  [/\bglpat-[0-9A-Za-z_-]{20,}/, 'a token of GitLab'],
  [/\bxox[abprs]-[0-9A-Za-z-]{10,}/, 'a token of Slack'],
  [/\bAIza[0-9A-Za-z_-]{35}/, 'a key of Google'],
  [/\bsk-(?:ant-|proj-)?[0-9A-Za-z_-]{32,}/, 'a key of a provider of models'],
  [/\b[rs]k_live_[0-9A-Za-z]{16,}/, 'a key of Stripe'],
  [/\bnpm_[0-9A-Za-z]{36}/, 'a token of npm'],
  [/\beyJ[0-9A-Za-z_-]{16,}\.eyJ[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}/, 'a signed token (JWT)'],
]

/** What kind of secret a text holds, in words; null: none that is known. The secret itself is never repeated. */
export function findKnownSecret(text: string): string | null {
  return FORMS.find(([form]) => form.test(text))?.[1] ?? null
}
