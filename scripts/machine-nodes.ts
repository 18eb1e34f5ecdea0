/** The Nodes that a stranger may have: that of this repository, and the one that the machine came with. */
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ROOT, run } from './shell.ts'

export type MachineNode = {
  /** As in `v20.20.2`. */
  readonly version: string
  /** Where it lies, for a PATH that finds it first. */
  readonly folder: string
}

/** Each version once, this process's own first; of others the first on PATH that is no file of the repository. */
export function findMachineNodes(path: string = process.env.PATH ?? ''): readonly MachineNode[] {
  const folders = path
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ROOT) && existsSync(join(folder, 'node')))
  const nodes = [dirname(process.execPath), ...folders].map((folder) => {
    const { stdout } = run(join(folder, 'node'), ['--version'])
    return { version: stdout.trim(), folder }
  })
  return nodes.filter(
    ({ version }, place) =>
      /^v\d+\./.test(version) && nodes.findIndex((one) => one.version === version) === place,
  )
}
