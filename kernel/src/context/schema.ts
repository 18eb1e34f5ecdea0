/**
 * Whether an agent that was written for one version of the context can read another: `1.0` is that
 * version, `1` and `1.x` are any of the first. Every other wish is refused: nobody guesses what an
 * agent meant that is about to act.
 */
export function isSchemaAccepted(wanted: string | undefined, offered: string): boolean {
  const major = offered.slice(0, offered.indexOf('.'))
  return wanted === undefined || [offered, major, `${major}.x`].includes(wanted)
}
