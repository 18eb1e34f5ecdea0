/** What the fold keeps of an intent until its effect is settled. */
import {
  type AcceptedPayload,
  type Address,
  type CapabilityDescription,
  type EffectClass,
  type ExecutionStatus,
  parseInstant,
  type SignedIntent,
} from 'rubicon-kernel'
import type { Packing } from '../compact-records/packed-map.ts'
import { readOptional, writeOptional } from '../compact-records/packings.ts'
import { computeKeyLifetimeMs, findApprovedUntil } from './in-time.ts'

export type FoldedIntent = {
  readonly dfid: string
  readonly step: string
  readonly writ: Address
  readonly cost: SignedIntent['cost']
  readonly agent: string
  readonly kind: string
  readonly contract: string
  readonly staged_at: string
  readonly dispatch_before: string
  /** Until when it was approved, or else proposed, in milliseconds; null: nobody said. */
  readonly until: number | null
  /** When it was first sent, in milliseconds. */
  readonly firstSent: number
  /** For how long after that its provider surely knows its key; null: there is none, or nobody says. */
  readonly keyForMs: number | null
  /** Taking back costs nothing and stands on a choice. */
  readonly undoes: boolean
  /** Its failure ends its flow. */
  readonly isProven: boolean
  /** Null: nobody knows the capability. */
  readonly effect: EffectClass | null
  readonly status: ExecutionStatus
  /** What was found out last about its effect, and by whom; null: nothing since it was sent. */
  readonly found: { readonly source: string; readonly finding: string } | null
}

/** An effect that is settled is only remembered as such. */
export type Folded = FoldedIntent | 'settled'

export const FOLDED: Packing<Folded> = {
  write(record, intent) {
    record.writeFlag(intent === 'settled')
    if (intent === 'settled') return
    record.text(intent.dfid)
    record.name(intent.step)
    record.text(intent.writ)
    record.name(JSON.stringify(intent.cost))
    record.name(intent.agent)
    record.name(intent.kind)
    record.name(intent.contract)
    record.writeTime(intent.staged_at)
    record.writeTime(intent.dispatch_before)
    writeOptional(record, intent.until, (ms) => record.writeNumber(ms))
    record.writeNumber(intent.firstSent)
    writeOptional(record, intent.keyForMs, (ms) => record.writeNumber(ms))
    record.writeFlag(intent.undoes)
    record.writeFlag(intent.isProven)
    writeOptional(record, intent.effect, (effect) => record.name(effect))
    record.name(intent.status)
    writeOptional(record, intent.found, ({ source, finding }) => {
      record.name(source)
      record.name(finding)
    })
  },
  read(record) {
    if (record.readFlag()) return 'settled'
    return {
      dfid: record.text(),
      step: record.name(),
      writ: record.text() as Address,
      cost: JSON.parse(record.name()) as SignedIntent['cost'],
      agent: record.name(),
      kind: record.name(),
      contract: record.name(),
      staged_at: record.readTime(),
      dispatch_before: record.readTime(),
      until: readOptional(record, () => record.readNumber()),
      firstSent: record.readNumber(),
      keyForMs: readOptional(record, () => record.readNumber()),
      undoes: record.readFlag(),
      isProven: record.readFlag(),
      effect: readOptional(record, () => record.name() as EffectClass),
      status: record.name() as ExecutionStatus,
      found: readOptional(record, () => ({ source: record.name(), finding: record.name() })),
    }
  },
}

export function toFoldedIntent(
  { intent, proposal }: AcceptedPayload,
  status: FoldedIntent['status'],
  description: CapabilityDescription | undefined,
): FoldedIntent {
  return {
    dfid: intent.dfid,
    step: intent.step_id,
    writ: intent.writ_id,
    cost: intent.cost,
    agent: intent.agent_id,
    kind: intent.policy_kind,
    contract: intent.contract_hash,
    staged_at: intent.staged_at,
    dispatch_before: intent.dispatch_before,
    until: findApprovedUntil(intent, proposal),
    firstSent: parseInstant(intent.staged_at) ?? 0,
    keyForMs: computeKeyLifetimeMs(description),
    undoes: intent.compensation !== undefined,
    isProven: intent.on_failure !== undefined,
    effect: description?.effect ?? null,
    status,
    found: null,
  }
}
