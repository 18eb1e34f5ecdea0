/**
 * Where an agent that is asked to decide finds the request among its State. The path is the runtime's:
 * nobody observes it, and nobody but the agent that is asked reads it.
 */
const PREFIX = 'escalation.'

export function toEscalationPath(id: string): string {
  return `${PREFIX}${id}`
}

export function isEscalationPath(path: string): boolean {
  return path.startsWith(PREFIX)
}

/** The request that stands at the path. */
export function parseEscalationPath(path: string): string | undefined {
  return isEscalationPath(path) ? path.slice(PREFIX.length) : undefined
}
