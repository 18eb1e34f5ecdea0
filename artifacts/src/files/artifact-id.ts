/**
 * The id of an artifact is the name of its file below the root, with `/` between folders. One file has one id, on every system.
 *
 * I1 an id leads to nothing outside of the root, and to nothing that tools keep for themselves (`.git`, `.rubicon`): what is written
 *    there would be run, or would be taken for the record.
 * I2 an id is in composed form (NFC): two spellings of one name would be two files here and one elsewhere.
 */
import { ARTIFACT_LIMITS } from '../limits.ts'
import { createFileProblem, type FileProblem } from './file-problem.ts'

/** Of tools; nobody's artifacts. What begins with `.rubicon-` is a write that is under way. */
const KEPT: readonly string[] = ['.git', '.hg', '.svn', '.rubicon']

/** Null: it is one. */
export function findIdProblem(id: string): FileProblem | null {
  const refuse = (detail: string): FileProblem => createFileProblem('FILE_NAME_INVALID', id, detail)
  if (id.length > ARTIFACT_LIMITS.idLength)
    return refuse(`a name has at most ${ARTIFACT_LIMITS.idLength} characters`)
  const segments = id.split('/')
  if (segments.length > ARTIFACT_LIMITS.folderDepth)
    return refuse(`a file lies at most ${ARTIFACT_LIMITS.folderDepth} folders deep`)
  for (const segment of segments) {
    const problem = findNameProblem(segment)
    if (problem !== null) return refuse(`\`${id}\`: ${problem}`)
    if (isKeptName(segment)) return refuse(`\`${id}\`: \`${segment}\` belongs to a tool`)
  }
  return null
}

/** Of one file or folder. */
export function findNameProblem(name: string): string | null {
  if (name === '') return 'a name has no empty part, and does not begin or end with `/`'
  if (name === '.' || name === '..') return '`.` and `..` are no names'
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return 'a name has no control characters'
    if (character === '\\' || character === ':') return `\`${character}\` is no part of a name`
    // What is no text comes as this from the system, and would not be found again.
    if (code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return 'its name is no valid text'
  }
  if (name.normalize('NFC') !== name) return 'its name is not in composed form (NFC)'
  if (name.endsWith('.') || name.endsWith(' ')) return 'a name does not end with a dot or a space'
  return null
}

export function isKeptName(name: string): boolean {
  const folded = foldName(name)
  return KEPT.includes(folded) || folded.startsWith('.rubicon-')
}

/** Names that are one name where letters have no case. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
