/**
 * Keys, the store and the rules of the gateway, where a server of files could reach them. Whoever reads the key of the agent
 * calls past the client, and whoever writes the MCP file decides what is started.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { CommandCall } from '../call.ts'
import { CliFailure } from '../failure.ts'
import { parseSqlitePath } from '../open.ts'
import type { SetupPlan } from './setup-plan.ts'

export function assertOutOfReach({ place }: CommandCall, plan: SetupPlan): void {
  const store = parseSqlitePath(place.store)
  const own = [
    plan.state,
    ...(store === undefined ? [] : [resolve(store)]),
    ...Object.values(plan.files).map(({ path }) => path),
  ].map(resolveLinks)
  for (const { name, bounds } of plan.servers)
    for (const folder of bounds.folders ?? []) {
      const within = own.find((path) => isWithin(resolveLinks(folder), path))
      if (within === undefined) continue
      throw new CliFailure({
        code: 'MCP_FOLDER_OWN',
        summary: `\`${name}\` may reach ${within}, which is the gateway's own`,
        why: 'a program that can read the keys or write the rules is not bound by them',
        fix: 'give the server another folder, or bound it with --bound folders=FOLDER; or keep the files elsewhere with --mcp, --store and --state',
      })
    }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Of what is not there yet, the folder that is. */
function resolveLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(path)
  return folder === path ? path : join(resolveLinks(folder), path.slice(folder.length))
}
