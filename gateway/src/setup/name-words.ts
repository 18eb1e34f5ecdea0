/**
 * What the name of a tool says that it does. A name is the word of its server, as a hint is: it is shown to whoever
 * approves the tool, and the strictest word counts.
 */
import type { ToolClassName } from '../lock/tool-class.ts'

const READS = new Set(
  'count describe diff find get grep head info inspect list log lookup read search show stat stats status tail tree view'.split(
    ' ',
  ),
)

const WRITES = new Set(
  'add append apply approve archive assign book change checkout close comment commit copy create edit fork import insert invite label lock merge move open order pay post publish push put rename replace reply restore save schedule send set share start stop store submit subscribe sync transfer trigger update upload upsert write'.split(
    ' ',
  ),
)

/** Also what runs anything that it is given. */
const DESTROYS = new Set(
  'ban bash cancel clean clear command delete destroy drop erase eval exec execute force kill overwrite prune purge remove reset revoke rm shell shutdown terminate truncate uninstall unlink wipe'.split(
    ' ',
  ),
)

/** Undefined: it says nothing. */
export function readNameClass(tool: string): ToolClassName | undefined {
  const words = tool
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
  if (words.some((word) => DESTROYS.has(word))) return 'destroy'
  if (words.some((word) => WRITES.has(word))) return 'write'
  return words.some((word) => READS.has(word)) ? 'read' : undefined
}
