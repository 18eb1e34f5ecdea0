/** The licences of what the console is shipped with, as one text: theirs ask for it beside every copy. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './shell.ts'

type Shipped = {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export function formatLicences(): string {
  const names = listShipped(join(ROOT, 'console'), new Set())
  return [...names]
    .toSorted()
    .map((name) => `${name} ${readPackage(findFolder(name)).version}\n\n${readLicence(name)}`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** What a package needs, and what that needs; our own packages have the licence of the whole. */
function listShipped(folder: string, found: Set<string>): Set<string> {
  for (const name of Object.keys(readPackage(folder).dependencies ?? {})) {
    if (name.startsWith('rubicon-') || found.has(name)) continue
    found.add(name)
    listShipped(findFolder(name), found)
  }
  return found
}

function findFolder(name: string): string {
  return join(ROOT, 'node_modules', name)
}

function readPackage(folder: string): Shipped {
  return parsePackage(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function parsePackage(text: string): Shipped {
  return JSON.parse(text) as Shipped
}

function readLicence(name: string): string {
  const folder = findFolder(name)
  const [file] = existsSync(folder) ? globSync('{LICENSE,LICENCE}*', { cwd: folder }) : []
  if (file === undefined) throw new Error(`${name} has no licence to ship with it`)
  return readFileSync(join(folder, file), 'utf8')
}
