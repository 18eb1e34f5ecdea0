import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * For the environment of a thread or a process that loads the same modules: what this one has compiled is not compiled
 * again, which is half of its start. Nothing where nothing is kept.
 */
export function listCompileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  // It is named for this Node, in the folder that is for all of them.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
