import { decodeUtf8, encodeUtf8, LIMITS } from 'rubicon-kernel'

/** What Cedar says about a text; what we say of it ourselves has a message alone. */
export type CedarError = {
  readonly message: string
  readonly help?: string | null
  readonly sourceLocations?: readonly { readonly start: number }[]
  readonly related?: readonly CedarError[]
  /** Where we say it ourselves: the line of the rule. */
  readonly line?: number
}

/** A place in the text, counted from 1, and what is wrong there. */
export type CedarProblem = {
  readonly line: number
  readonly column: number
  readonly path: ''
  readonly detail: string
}

/** So many stand in a summary, which is read in one go. */
const SUMMARISED = 20

/** For an editor; so many of them. What is about the whole text stands at its beginning. */
export function listCedarProblems(
  text: string,
  errors: readonly CedarError[],
): readonly CedarProblem[] {
  const bytes = encodeUtf8(text)
  // Each place is looked for from the beginning of the text.
  return flattenErrors(errors)
    .slice(0, LIMITS.documentProblems)
    .map((error) => toProblem(bytes, error))
}

function flattenErrors(errors: readonly CedarError[]): readonly CedarError[] {
  return errors.flatMap((error) => [error, ...flattenErrors(error.related ?? [])])
}

function toProblem(bytes: Uint8Array, error: CedarError): CedarProblem {
  const { message, help, line = 1, sourceLocations = [] } = error
  const [place] = sourceLocations
  const found = place === undefined ? { line, column: 1 } : findPlace(bytes, place.start)
  return { ...found, path: '', detail: `${message}${toHint(help)}` }
}

/** The first of them, each with the place in the text, as editors count. */
export function formatCedarErrors(text: string, errors: readonly CedarError[]): string {
  const all = flattenErrors(errors)
  const bytes = encodeUtf8(text)
  const named = all.slice(0, SUMMARISED).map((error) => formatError(bytes, error))
  const left = all.length - named.length
  return [...named, ...(left === 0 ? [] : [`and ${left} more`])].join('; ')
}

function formatError(
  bytes: Uint8Array,
  { message, help, sourceLocations = [] }: CedarError,
): string {
  const [place] = sourceLocations
  const where = place === undefined ? '' : `${formatPlace(bytes, place.start)}: `
  return `${where}${message}${toHint(help)}`
}

function toHint(help: string | null | undefined): string {
  return help === null || help === undefined ? '' : ` (${help})`
}

function formatPlace(bytes: Uint8Array, start: number): string {
  const { line, column } = findPlace(bytes, start)
  return `line ${line}, column ${column}`
}

/** Cedar counts bytes from 0; people count lines and characters from 1. */
function findPlace(
  bytes: Uint8Array,
  start: number,
): { readonly line: number; readonly column: number } {
  const before = (decodeUtf8(bytes.subarray(0, start)) ?? '').split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}
