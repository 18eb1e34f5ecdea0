import { decodeUtf8, encodeUtf8 } from 'rubicon-kernel'

/** What Cedar says about a text; what we say of it ourselves has a message alone. */
export type CedarError = {
  readonly message: string
  readonly help?: string | null
  readonly sourceLocations?: readonly { readonly start: number }[]
  readonly related?: readonly CedarError[]
}

/** Each with the place in the text, as editors count. */
export function formatCedarErrors(text: string, errors: readonly CedarError[]): string {
  return errors.flatMap((error) => formatErrorLines(encodeUtf8(text), error)).join('; ')
}

function formatErrorLines(bytes: Uint8Array, error: CedarError): readonly string[] {
  const { message, help, sourceLocations = [], related = [] } = error
  const [place] = sourceLocations
  const where = place === undefined ? '' : `${formatPlace(bytes, place.start)}: `
  const hint = help === null || help === undefined ? '' : ` (${help})`
  return [`${where}${message}${hint}`, ...related.flatMap((one) => formatErrorLines(bytes, one))]
}

/** Cedar counts bytes from 0; people count lines and characters from 1. */
function formatPlace(bytes: Uint8Array, start: number): string {
  const before = (decodeUtf8(bytes.subarray(0, start)) ?? '').split('\n')
  return `line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}`
}
