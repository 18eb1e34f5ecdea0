/** Takes out what the entries and the rows of flows say. */
import { ERASED_INTENT } from '../unit/erased-rows.ts'
import { type Column, createColumn } from './bulk.ts'
import type { NamedStatement } from './session.ts'

export const ERASED: readonly Column<string>[] = [createColumn('dfid', 'text', (dfid) => dfid)]
export const ERASE: readonly NamedStatement[] = [
  {
    name: 'erase_entries',
    text: `UPDATE entries SET payload = NULL, packed = NULL WHERE tenant = $1 AND dfid = ANY($2::text[])
      AND trajectory NOT IN ('authority', 'erasure') AND kind NOT IN ('root', 'branch')`,
  },
  {
    name: 'erase_flows',
    text: "UPDATE flows SET trigger_event = '' WHERE tenant = $1 AND dfid = ANY($2::text[])",
  },
  {
    name: 'erase_executions',
    text: `UPDATE executions SET intent = '${ERASED_INTENT}', intent_seq = NULL, params_fingerprint = '',
      idempotency_key = '', details = 'null', result = 'null', receipt = 'null'
      WHERE tenant = $1 AND dfid = ANY($2::text[])`,
  },
]
