/** The form of an event: what was observed, whom it woke, and what was counted before. */
import { FACT_LABELS } from '../fact/label.ts'
import {
  address,
  count,
  createEnumShape,
  createExactShape,
  identifier,
  listOf,
  type Shape,
  text,
} from './shape.ts'

const observation = createExactShape({
  path: identifier,
  version: count,
  source: text,
  label: createEnumShape(FACT_LABELS),
  value_hash: address,
})

export const event: Shape = createExactShape({
  salt: text,
  event_id: address,
  topic: text,
  observations: listOf(observation),
  state_snapshot_id: address,
  woken: listOf(createExactShape({ agent: identifier, dfid: identifier })),
  not_woken: listOf(createExactShape({ agent: identifier, code: identifier })),
  admission: createExactShape(
    { candidates: count },
    { volatility: text, by_table: count, by_tokens: count, tokens_left: count },
  ),
})
