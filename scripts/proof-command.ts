/** The commands that bars are shown by, each with its result as JSON. */

export function buildNpmCommand(...words: readonly (string | number)[]): readonly string[] {
  return ['npm', 'run', '--silent', ...words.map(String)]
}

export function buildRubiconCommand(...words: readonly (string | number)[]): readonly string[] {
  return ['rubicon', ...words.map(String), '--json']
}
