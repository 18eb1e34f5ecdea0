import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where keys and checkpoints live: outside every store's folder. */
export function stateDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.RUBICON_STATE !== undefined) return environment.RUBICON_STATE
  const base = environment.XDG_STATE_HOME ?? join(homedir(), '.local', 'state')
  return join(base, 'rubicon')
}
