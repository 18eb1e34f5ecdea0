import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { KEY_PURPOSES, type KeyRecord } from '../keys/key.ts'
import { err, ok, type Result } from '../result.ts'
import {
  base64,
  count,
  createEnumShape,
  createExactShape,
  identifier,
  listOf,
  text,
} from './shape.ts'

export const LEDGER_FORMAT = 'rubicon-ledger/2'

/** The first line of an exported ledger. */
export type LedgerHeader = {
  readonly checkpoint: string
  readonly epoch: number
  readonly format: typeof LEDGER_FORMAT
  readonly keys: readonly KeyRecord[]
  readonly tenant: string
}

export const keyRecordShape: (value: JsonValue) => string | undefined = createExactShape(
  {
    added_seq: count,
    key_id: identifier,
    public_key: base64,
    purpose: createEnumShape(KEY_PURPOSES),
    subject: text,
  },
  { compromised_since_seq: count, retired_seq: count },
)

const headerShape = createExactShape({
  checkpoint: text,
  epoch: count,
  format: createEnumShape([LEDGER_FORMAT]),
  keys: listOf(keyRecordShape),
  tenant: identifier,
})

export function parseLedgerHeader(value: JsonValue): Result<LedgerHeader, string> {
  const problem = formatProblem(value) ?? headerShape(value)
  if (problem !== undefined) return err(`header ${problem}`)
  // The shape above is this type, written once more as checks.
  return ok(value as LedgerHeader)
}

/** Another version of ours is told from a file that is damaged. */
function formatProblem(value: JsonValue): string | undefined {
  const format = isObject(value) ? value.format : undefined
  if (typeof format !== 'string' || format === LEDGER_FORMAT || !format.startsWith('rubicon-'))
    return undefined
  return `says \`${format}\`, and this reads \`${LEDGER_FORMAT}\`: use the release that wrote it`
}
