/**
 * Answers about artifacts as a model reads them: what is known of a text first, and the text as a piece of its own, so that nothing in it
 * can be taken for what stands around it.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

type TextPiece = { readonly type: 'text'; readonly text: string }

/** Null: it is no answer about data of the project. */
export function toDataPieces(result: JsonValue | undefined): TextPiece[] | null {
  if (result === undefined || !isObject(result) || typeof result.data_of !== 'string') return null
  const { text, ...known } = result
  const head = toPiece(JSON.stringify(known))
  return typeof text === 'string' ? [head, toPiece(text)] : [head]
}

function toPiece(text: string): TextPiece {
  return { type: 'text', text }
}

const SHOWN = 16
const SHOWN_LENGTH = 4_000

/** What helps whoever was refused: where it is, what could have been meant, and what would repair it. */
export function describeProblem(details: JsonObject): readonly string[] {
  const { artifact, detail, at, index, candidates, fixes, fix, hidden } = details
  const place = isObject(at ?? null) ? (at as JsonObject) : null
  const where = [
    ...(typeof artifact === 'string' ? [`\`${artifact}\``] : []),
    ...(typeof index === 'number' ? [`delta ${index + 1}`] : []),
    ...(place === null ? [] : [`line ${String(place.line)}, column ${String(place.column)}`]),
  ]
  return [
    ...(typeof detail === 'string' ? [detail] : []),
    ...(where.length === 0 ? [] : [`At: ${where.join(', ')}`]),
    ...listValues('Candidates', candidates),
    ...listValues('Fixes', fixes),
    ...(typeof hidden === 'number' ? [`Not shown: ${hidden} that you may not read`] : []),
    ...(typeof fix === 'string' ? [`Fix: ${fix}`] : []),
  ].map((line) => line.slice(0, SHOWN_LENGTH).toWellFormed())
}

/** Which of the names in a call lie outside of what its agent was given. */
export function describeOutside({ set, outside }: JsonObject): string {
  const [line = ''] = listValues('Outside', outside)
  if (line === '') return ''
  const where = typeof set === 'string' ? ` (\`${set}\`)` : ''
  const hint = isFolderSet(set) && listTexts(outside).some(isRelative) ? `\n${RELATIVE}` : ''
  return `${line.slice(0, SHOWN_LENGTH).toWellFormed()}${where}${hint}`
}

/** Which of the arguments do not fit the schema of the tool, and why. */
export function describeArguments({ problems }: JsonObject): string {
  if (!Array.isArray(problems)) return ''
  const lines = problems.slice(0, SHOWN).flatMap((problem) => {
    if (!isObject(problem) || typeof problem.detail !== 'string') return []
    const path = typeof problem.path === 'string' ? problem.path : ''
    return [path === '' || path === '/' ? problem.detail : `\`${path}\`: ${problem.detail}`]
  })
  return lines.length === 0
    ? ''
    : `Wrong: ${lines.join('; ')}`.slice(0, SHOWN_LENGTH).toWellFormed()
}

const RELATIVE =
  'A path is compared as it is written, and a relative one is in no folder: give the whole path, beginning with the allowed folder, such as /srv/notes/a.txt'

/** As `mcp init` calls the folders of a server, and those of a second argument. */
function isFolderSet(set: JsonValue | undefined): boolean {
  return typeof set === 'string' && /-folders(-|$)/.test(set)
}

function listTexts(values: JsonValue | undefined): readonly string[] {
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
}

function isRelative(path: string): boolean {
  return !path.startsWith('/') && !/^[a-z]:[/\\]/i.test(path)
}

function listValues(word: string, values: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(values) || values.length === 0) return []
  const shown = values.slice(0, SHOWN)
  return [`${word}: ${shown.map(toWords).join(', ')}`]
}

function toWords(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
