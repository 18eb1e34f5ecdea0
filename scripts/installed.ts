/** What `npm install` has put into a folder. */
import { globSync, lstatSync } from 'node:fs'
import { join } from 'node:path'

type Listed = { readonly dependencies?: Readonly<Record<string, Listed>> }

/** Every package of `npm ls --all --json`, however deep it lies. */
export function listInstalled(text: string): readonly string[] {
  const names = new Set<string>()
  const walk = ({ dependencies = {} }: Listed): void => {
    for (const [name, listed] of Object.entries(dependencies)) {
      names.add(name)
      walk(listed)
    }
  }
  walk(JSON.parse(text))
  return [...names].sort()
}

/** The Node that the packages bring for whoever has an older one is not counted: most have it already. */
const NODES = /^node(-bin)?-(linux|darwin|win)-/

/** In megabytes, to a tenth. */
export function measureInstalled(project: string): number {
  const folder = join(project, 'node_modules')
  const bytes = globSync('**', { cwd: folder, exclude: (name) => NODES.test(name) })
    .map((path) => lstatSync(join(folder, path)))
    .filter((found) => found.isFile())
    .reduce((sum, { size }) => sum + size, 0)
  return Math.round(bytes / 1e5) / 10
}
