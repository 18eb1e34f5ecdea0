/** What the arguments of a server say of what it is about: folders that it was given, a repository. */
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isLiteralPattern } from 'rubicon-kernel'
import type { ServerConfig } from '../upstream/server-config.ts'
import type { Bounds } from './build-contract.ts'
import type { ServerTemplate } from './templates/server-template.ts'

/** Those that somebody said outrank those that are found. */
export function findBounds(
  config: ServerConfig,
  template: ServerTemplate | undefined,
  said: Bounds,
): Bounds {
  if (config.kind !== 'program') return said
  const at = config.cwd
  // Where a server is started that was given no folder, only the system knows: then whole paths count alone.
  const args = config.argv.slice(1).filter((one) => at !== undefined || isAbsolute(one))
  if (template?.name === 'filesystem') {
    const folders = args.flatMap((one) => listNames(at, one))
    return folders.length === 0 ? said : { folders, ...said }
  }
  const option = config.argv.findIndex((one) => one === '--repository' || one === '-r')
  const repository = option < 0 ? undefined : config.argv[option + 1]
  if (template?.name !== 'git' || repository === undefined) return said
  const repositories = args.includes(repository) ? listNames(at, repository) : []
  return repositories.length === 0 ? said : { repositories, ...said }
}

/**
 * A folder as it is called, and as the system calls it: servers compare with either. One that is called like a pattern would
 * admit its neighbours.
 */
function listNames(at: string | undefined, argument: string): readonly string[] {
  const path = resolve(at ?? '/', argument)
  try {
    if (!statSync(path).isDirectory()) return []
    return [...new Set([path, realpathSync(path)])].filter(isLiteralPattern)
  } catch {
    return []
  }
}
