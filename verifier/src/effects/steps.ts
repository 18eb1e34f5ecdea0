/**
 * One effect a step, and nothing said of it that cannot follow what was said before.
 *
 * 1. A step of a flow is claimed once; only what was given back before it was sent frees it.
 * 2. Outcomes follow each other as `outcome-machine.ts` has it, and end with the first that is final.
 * 3. UNKNOWN and MANUAL_REVIEW are left with evidence: somebody found out, or a person said so.
 * 4. A person speaks about what is under review, with a name and a reason, and settles nothing that is on its way.
 * 5. A flow that was opened for one step takes one: what failed, and what only asked for a person, is none.
 * 6. Sent again is what is UNKNOWN (same key) or NOT_APPLIED, and what is unsafe never.
 */
import { type ExecutionStatus, isSettled, type JsonObject, mayBecome } from 'rubicon-kernel'
import { copyText } from '../compact-records/own-text.ts'
import type { Packing } from '../compact-records/packed-map.ts'
import type { Kept } from '../compact-records/parts.ts'
import { FOLDED, type Folded, type FoldedIntent } from './folded-intent.ts'
import { isWordOfPerson } from './word-of-person.ts'

export type Steps = {
  /** Where an intent first stands. */
  readonly claim: (id: string, intent: FoldedIntent) => string[]
  readonly get: (id: string) => Folded | undefined
  /** The dispatch of what was accepted, and when that was judged. */
  readonly carryOut: (id: string, firstSent: number) => string[]
  readonly sendAgain: (id: string, why: 'same_key' | 'not_applied') => string[]
  readonly learn: (id: string, found: NonNullable<FoldedIntent['found']>) => void
  /** Committed is SUCCESS. */
  readonly settle: (id: string, to: ExecutionStatus) => string[]
  /** Whether a step of the flow, but for what takes back, has no outcome. */
  readonly isUnderWay: (dfid: string) => boolean
  /** Whether a step of the flow was taken, but for one that failed, and for asking a person. */
  readonly hasTaken: (dfid: string) => boolean
}

const STEPS: Packing<readonly string[]> = {
  write(record, steps) {
    record.count(steps.length)
    for (const step of steps) record.name(step)
  },
  read: (record) => Array.from({ length: record.count() }, () => record.name()),
}

export function createSteps(kept: Kept): Steps {
  const intents = kept.intents.part(FOLDED)
  /** The steps that are claimed, by flow. */
  const claimed = kept.flows.part(STEPS)
  const underWay = createFlowCounts()
  /** Of the claimed steps those after which a flow goes on; they are few. */
  const passed = createFlowCounts()

  const free = (intent: FoldedIntent): void => {
    const left = (claimed.get(intent.dfid) ?? []).filter((one) => one !== intent.step)
    claimed.set(intent.dfid, left)
    if (isAsking(intent)) passed.count(intent, -1)
  }

  const move = (
    id: string,
    intent: FoldedIntent,
    to: ExecutionStatus,
    firstSent: number = intent.firstSent,
  ): string[] => {
    const problem = moveProblem(intent, to)
    // What was not sent leaves its step to others.
    if (intent.status === 'ACCEPTED' && to === 'ABANDONED') free(intent)
    const found = to === 'UNKNOWN' ? intent.found : null
    intents.set(id, isSettled(to) ? 'settled' : { ...intent, status: to, found, firstSent })
    if (isSettled(to)) underWay.count(intent, -1)
    if (to === 'FAILED' && !isAsking(intent)) passed.count(intent, 1)
    return problem === null ? [] : [problem]
  }

  /** Of what nobody knows others say so. */
  const moveKnown = (id: string, to: ExecutionStatus, firstSent?: number): string[] => {
    const intent = intents.get(id)
    if (intent === undefined) return []
    return intent === 'settled'
      ? [`its outcome was final before it became ${to}`]
      : move(id, intent, to, firstSent)
  }

  return {
    claim(id, intent) {
      const steps = claimed.get(intent.dfid) ?? []
      const isTaken = steps.includes(intent.step)
      if (!isTaken) claimed.set(intent.dfid, [...steps, intent.step])
      if (!isTaken && isAsking(intent)) passed.count(intent, 1)
      if (!intents.has(id)) {
        intents.set(id, intent)
        underWay.count(intent, 1)
      }
      return isTaken ? [`step \`${intent.step}\` of its flow was claimed before`] : []
    },
    get: (id) => intents.get(id),
    carryOut: (id, firstSent) => moveKnown(id, 'DISPATCHED', firstSent),
    sendAgain(id, why) {
      const intent = intents.get(id)
      const problem =
        intent === undefined || intent === 'settled' ? null : resendProblem(intent, why)
      return [...(problem === null ? [] : [problem]), ...moveKnown(id, 'DISPATCHED')]
    },
    learn(id, found) {
      const intent = intents.get(id)
      if (intent !== undefined && intent !== 'settled') intents.set(id, { ...intent, found })
    },
    settle: moveKnown,
    isUnderWay: (dfid) => underWay.get(dfid) > 0,
    hasTaken: (dfid) => (claimed.get(dfid) ?? []).length > passed.get(dfid),
  }
}

/** Sent back, its flow goes on. */
function isAsking({ kind }: FoldedIntent): boolean {
  return kind === 'ESCALATE'
}

type FlowCounts = {
  readonly count: (intent: FoldedIntent, by: 1 | -1) => void
  readonly get: (dfid: string) => number
}

/** How many steps, but for what takes back, by flow; only flows with such a step are kept. */
function createFlowCounts(): FlowCounts {
  const flows = new Map<string, number>()
  return {
    count({ dfid, undoes }, by) {
      if (undoes) return
      const left = (flows.get(dfid) ?? 0) + by
      if (left > 0) flows.set(copyText(dfid), left)
      else flows.delete(dfid)
    },
    get: (dfid) => flows.get(dfid) ?? 0,
  }
}

function moveProblem({ status, found }: FoldedIntent, to: ExecutionStatus): string | null {
  if (!mayBecome(status, to)) return `an effect that is ${status} cannot become ${to}`
  if (status === 'UNKNOWN') return findFindingProblem(found, to)
  if (status !== 'MANUAL_REVIEW') return null
  return found?.source === 'person' ? findFindingProblem(found, to) : 'no person settled it'
}

const NEEDED: Readonly<Partial<Record<ExecutionStatus, string>>> = {
  SUCCESS: 'applied',
  FAILED: 'absent',
  NOT_APPLIED: 'absent',
}

function findFindingProblem(found: FoldedIntent['found'], to: ExecutionStatus): string | null {
  const needed = NEEDED[to]
  if (needed === undefined || found?.finding === needed) return null
  return `no evidence found it ${needed} before it became ${to}`
}

/** Why a person does not say that of it. */
export function findWordProblems(
  known: Folded | undefined,
  details: JsonObject,
): readonly string[] {
  if (known === undefined) return []
  const isAsked = known !== 'settled' && known.status === 'MANUAL_REVIEW'
  if (!isAsked) return ['a person settles an effect that is not under review']
  return isWordOfPerson(details) ? [] : ['the person or the reason is missing']
}

function resendProblem(
  { status, effect }: FoldedIntent,
  why: 'same_key' | 'not_applied',
): string | null {
  const wanted = why === 'same_key' ? 'UNKNOWN' : 'NOT_APPLIED'
  if (status !== wanted) return `it is sent again (${why}) while it is ${status}`
  if (effect === 'unsafe') return 'it is sent again, and is unsafe'
  return effect === 'queryable' && why === 'same_key' ? 'no probe found it absent' : null
}
