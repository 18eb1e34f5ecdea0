/**
 * Where an agent that is to choose about a dirty flow finds what it is about, among its State. The paths
 * are the kernel's: nobody observes them, nothing stands there, and nobody but the agent that is to
 * choose is shown them, in the flow that was opened for it.
 */
const PREFIX = 'kernel.compensation.'
const SAID = '.said'

export function toChoicePath(dfid: string): string {
  return `${PREFIX}${dfid}`
}

/** What the kernel does not vouch for: what was sent, and what came back. */
export function toChoiceSaidPath(dfid: string): string {
  return `${toChoicePath(dfid)}${SAID}`
}

/** The dirty flow that is chosen about. */
export function parseChoicePath(path: string): string | undefined {
  if (!path.startsWith(PREFIX) || path.endsWith(SAID)) return undefined
  return path.slice(PREFIX.length)
}
