/** The version that a contract is deployed with while it is written: `1.4.0-dev.3`. The file keeps its own. */

/** The next one, after those that were deployed. */
export function computeDevVersion(written: string, deployed: readonly string[]): string {
  const stem = buildStem(written)
  const last = Math.max(0, ...deployed.map((version) => readNumber(version, stem)))
  return `${stem}${last + 1}`
}

/** Whether a deployed version is one of those that were made for a written one. */
export function isDevVersionOf(version: string, written: string): boolean {
  return readNumber(version, buildStem(written)) > 0
}

/** A version with a pre-release of its own has it continued: `1.4.0-rc.1.dev.`. */
function buildStem(written: string): string {
  return written.includes('-') ? `${written}.dev.` : `${written}-dev.`
}

/** Zero: it is none of them. */
function readNumber(version: string, stem: string): number {
  const rest = version.startsWith(stem) ? version.slice(stem.length) : ''
  return /^[1-9][0-9]*$/.test(rest) ? Number(rest) : 0
}
