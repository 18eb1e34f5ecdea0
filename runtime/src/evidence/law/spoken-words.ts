/**
 * What was answered by code that is not in the ledger: a capability's functions and TypeScript policies.
 * The record of a decision holds every such answer, so that the law can be applied again without them.
 */
import {
  type Budget,
  formatBudgetUnits,
  formatPolicyTrigger,
  getGrantedUnits,
  isObject,
  type JitField,
  type JsonObject,
  type JsonValue,
  type PolicyAnswer,
  type PolicyTraceLine,
  type Refusal,
  type ResourceNeed,
  type StageName,
  type StageTrace,
  type Trace,
} from 'rubicon-kernel'

export type SpokenWords = {
  readonly measures: Readonly<Record<string, JsonValue>>
  /** Null: it could not say. */
  readonly cost: Budget | null
  readonly resources: readonly ResourceNeed[] | null
  readonly watched: readonly string[]
  /** What must not move, as far as it moved: a proof is refused before anything else is asked. */
  readonly moved: Readonly<Record<string, JitField>>
  readonly precondition: string | null
  /** Facts that it asked for and was not given, by what it was computing. */
  absent(measure: 'cost' | 'resources' | 'measures'): MissingFacts
  /** By name; undefined: it did not speak. */
  policy(name: string): PolicyAnswer | undefined
}

export type MissingFacts = {
  readonly absent: readonly string[]
  readonly unread: readonly string[]
}

/** The words in a trace. `byCall` is what every call costs. */
export function extractSpokenWords(trace: Trace, byCall: Budget): SpokenWords {
  const line = findStageLine(trace, 'preconditions')
  const refusals = line?.refusals ?? []
  const findUnavailable = (measure: string): Refusal | undefined =>
    refusals.find(({ code, details }) => {
      return code === 'MEASURE_UNAVAILABLE' && details.measure === measure
    })
  return {
    measures: line?.measures ?? {},
    cost: findUnavailable('cost') === undefined ? subtractCost(line?.cost ?? byCall, byCall) : null,
    resources: findUnavailable('resources') === undefined ? (line?.resources ?? []) : null,
    watched: line?.watched ?? [],
    moved: findMoved(findStageLine(trace, 'proof')?.refusals ?? []),
    precondition: findPrecondition(refusals),
    absent: (measure) =>
      toMissingFacts(
        measure === 'measures' ? findMissingMeasure(refusals) : findUnavailable(measure),
      ),
    policy: (name) => findPolicyAnswer(trace, name),
  }
}

function findStageLine(trace: Trace, stage: StageName): StageTrace | undefined {
  return trace.find((line) => line.stage === stage)
}

/** What the parameters cost on top. Less than the call itself costs is nothing that was ever said. */
function subtractCost(total: Budget, byCall: Budget): Budget {
  const more: Record<string, string> = {}
  for (const measure of Object.keys(total)) {
    const units = (getGrantedUnits(total, measure) ?? 0n) - (getGrantedUnits(byCall, measure) ?? 0n)
    if (units > 0n) more[measure] = formatBudgetUnits(measure, units)
    else if (!Object.hasOwn(byCall, measure)) more[measure] = '0'
  }
  return more
}

function findMoved(refusals: readonly Refusal[]): SpokenWords['moved'] {
  const details = refusals.find(({ code }) => code === 'REJECT_DRIFT')?.details
  if (typeof details?.field !== 'string' || typeof details.path !== 'string') return {}
  const isStrict = isObject(details.bound) && details.bound.kind === 'strict'
  return { [details.field]: { path: details.path, kind: isStrict ? 'balance' : 'telemetry' } }
}

function findPrecondition(refusals: readonly Refusal[]): string | null {
  const failed = refusals.find(({ code }) => code === 'PRECONDITION_FAILED')
  return failed === undefined ? null : String(failed.details.missing)
}

/** All missing measures were asked for together. */
function findMissingMeasure(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.find(({ code, details }) => {
    const { measure } = details
    return code === 'MEASURE_UNAVAILABLE' && measure !== 'cost' && measure !== 'resources'
  })
}

function toMissingFacts(refusal: Refusal | undefined): MissingFacts {
  const readNames = (key: string): readonly string[] => listTexts(refusal?.details ?? {}, key)
  return { absent: readNames('absent'), unread: readNames('unread') }
}

function listTexts(details: JsonObject, key: string): readonly string[] {
  const list = details[key]
  return Array.isArray(list) ? list.map(String) : []
}

function findPolicyAnswer(trace: Trace, name: string): PolicyAnswer | undefined {
  const line = findStageLine(trace, 'policy')
  const said = line?.policies?.find(({ policy }) => policy === name)
  if (line === undefined || said === undefined) return undefined
  const { determining, erroring } = said
  return { decision: toDecision(said, line), determining, erroring }
}

function toDecision(
  { policy, said, reason = '' }: PolicyTraceLine,
  { triggers = [] }: StageTrace,
): PolicyAnswer['decision'] {
  if (said === 'permit') return { kind: 'permit' }
  if (said === 'deny') return { kind: 'deny', reason }
  if (said !== 'require_approval') return null
  const asked = triggers.filter(({ id, channel }) => id === formatPolicyTrigger(policy, channel))
  const asks = asked.map(({ channel, details }) => ({ channel, reason: String(details.reason) }))
  // Where another policy refused, whom this one asked is not recorded, and nobody was.
  const [first = { channel: '', reason }, ...also] = asks
  return { kind: 'require_approval', ...first, ...(also.length === 0 ? {} : { also }) }
}
