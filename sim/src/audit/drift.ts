/**
 * I8, for the last look: what is dispatched stands on values that have not moved since its agent saw
 * them, on State that is not too old, and on the last word about it. And I4, for what was observed.
 *
 * Bounds are read and compared here once more, from the recorded facts, with arithmetic of its own.
 */
import type {
  Contract,
  DecisionRecord,
  JsonObject,
  JsonValue,
  PolicyProposal,
  SignedIntent,
} from 'rubicon-kernel'
import { toCanonicalJson } from './bytes.ts'
import {
  type AuditDecimal,
  isGreater,
  isNumeral,
  multiplyExact,
  parseExact,
  subtractExact,
  toAbsolute,
} from './decimal.ts'
import { isLabelAccepted } from './facts.ts'
import type { Line, Report } from './report.ts'

type Field = { readonly path: string; readonly kind: string }
type Said = {
  readonly value: JsonValue
  readonly observed_at: string
  readonly version: number
}

export type DriftOptions = {
  /** The values that a kind of action wants unmoved, by name. */
  readonly watched: (kind: string, params: JsonObject) => Readonly<Record<string, Field>>
  /** What stands of a path at a time, by what the store holds; without one, what was said last. */
  readonly lastWord: (path: string, at?: string) => Said | undefined
}

/** For ledgers whose actions watch nothing. */
export const NOTHING_WATCHED: DriftOptions = { watched: () => ({}), lastWord: () => undefined }

export type LastLook = {
  readonly intent: SignedIntent
  readonly facts: NonNullable<DecisionRecord['facts']> | undefined
  readonly proposal: JsonValue | undefined
  readonly jit: JsonValue | undefined
  readonly contract: Contract | undefined
}

/** How far telemetry may move where nobody says. */
const TELEMETRY_PCT = '0.1'

export class AuditedDrift {
  readonly #report: Report
  readonly #options: DriftOptions
  /** The newest version of each path that somebody was told of. */
  readonly #told = new Map<string, number>()

  constructor(report: Report, options: DriftOptions) {
    this.#report = report
    this.#options = options
  }

  /** Called for the first dispatch of an intent. */
  auditDispatch({ trajectory, seq }: Line, look: LastLook): void {
    const { facts, contract, intent } = look
    const reportProblem = (detail: string): void =>
      this.#report('I8', `${trajectory}/${seq} dispatches ${intent.policy_kind}: ${detail}`)
    if (facts === undefined || contract === undefined) {
      reportProblem('nothing says what it stands on')
      return
    }
    // What takes back stands on the facts of its choice, which were held against State when that was dispatched.
    if (intent.compensation === undefined)
      for (const problem of this.#findStateProblems(facts, contract)) reportProblem(problem)
    const fields = this.#options.watched(intent.policy_kind, intent.params)
    const reports = getFieldReports(look.jit)
    if (reports.length !== Object.keys(fields).length)
      reportProblem(`${reports.length} values were compared, not ${Object.keys(fields).length}`)
    for (const [name, field] of Object.entries(fields)) {
      const said = reports.find((one) => one.field === name)
      const problem = findMovedProblem(name, field, look, facts, said)
      if (problem !== null) reportProblem(`${name}: ${problem}`)
    }
  }

  auditObservation({ path, version }: { readonly path: string; readonly version: number }): void {
    this.#told.set(path, Math.max(version, this.#told.get(path) ?? 0))
    this.finish()
  }

  /** What somebody was told of is there, or what came after it. */
  finish(): void {
    for (const [path, told] of this.#told) {
      const { version = 0 } = this.#options.lastWord(path) ?? {}
      if (version < told) this.#report('I4', `observation ${told} of ${path} is gone`)
    }
  }

  *#findStateProblems(facts: NonNullable<LastLook['facts']>, contract: Contract): Iterable<string> {
    const oldest = contract.jit_verification.max_state_age_ms
    for (const fact of facts.state) {
      const { path, value, observed_at } = fact
      const age = Math.abs(Date.parse(facts.now) - Date.parse(observed_at))
      // What decides nothing may be as old as it is.
      const counts = oldest !== undefined && isLabelAccepted(fact, contract, undefined)
      if (counts && !(age <= oldest)) yield `${path} is ${age} ms old`
      const last = this.#options.lastWord(path, facts.now)
      if (
        last !== undefined &&
        toCanonicalJson([last.value, last.observed_at]) !== toCanonicalJson([value, observed_at])
      )
        yield `${path} is not what was said last`
    }
  }
}

type FieldReport = { readonly [name: string]: JsonValue | undefined }

function getFieldReports(jit: JsonValue | undefined): readonly FieldReport[] {
  const { drift = [] } = (jit ?? {}) as { readonly drift?: readonly FieldReport[] }
  return drift
}

function findMovedProblem(
  name: string,
  { path, kind }: Field,
  { proposal, contract }: LastLook,
  { seen, state }: NonNullable<LastLook['facts']>,
  said: FieldReport | undefined,
): string | null {
  const was = seen.find((fact) => fact.path === path)?.value
  const is = state.find((fact) => fact.path === path)?.value
  if (said?.within !== true || said.path !== path) return 'it is not called unmoved'
  if (was === undefined || is === undefined) return 'somebody did not look at it'
  if (toCanonicalJson([said.was, said.is]) !== toCanonicalJson([was, is]))
    return 'the report is about other values'
  const { execution_constraints: asked = {} } = (proposal ?? {}) as Partial<PolicyProposal>
  const agreed = listBounds(name, selectAgreedBounds(contract, proposal))
  const usual = kind === 'telemetry' ? createBound('percent', TELEMETRY_PCT) : isUnmoved
  const all = [...(agreed.length === 0 ? [usual] : agreed), ...listAskedBounds(name, kind, asked)]
  return all.every((holds) => holds(was, is))
    ? null
    : `it moved from ${toCanonicalJson(was)} to ${toCanonicalJson(is)}`
}

/** The bounds of the contract that are about the kind that was proposed. */
function selectAgreedBounds(
  contract: Contract | undefined,
  proposal: LastLook['proposal'],
): JsonObject {
  const { policy_kind = '' } = (proposal ?? {}) as Partial<PolicyProposal>
  const entries = Object.entries(contract?.jit_verification.drift_envelope ?? {})
  const meant = entries.flatMap(([name, entry]) => {
    if (typeof entry !== 'object') return [[name, entry]]
    return entry.applies_to.includes(policy_kind) ? [[name, entry.max]] : []
  })
  return Object.fromEntries(meant)
}

type Holds = (was: JsonValue, is: JsonValue) => boolean

function listAskedBounds(name: string, kind: string, asked: JsonObject): readonly Holds[] {
  const { drift_envelope, drift_envelope_bps: bps, max_slippage_bps: slippage } = asked
  return [
    ...listBounds(name, (drift_envelope ?? {}) as JsonObject),
    ...(kind === 'telemetry' && bps !== undefined ? [createBound('points', bps)] : []),
    ...(name === 'price' && slippage !== undefined ? [createBound('points', slippage)] : []),
  ]
}

function listBounds(name: string, envelope: JsonObject): readonly Holds[] {
  const units = { _pct: 'percent', _bps: 'points', _abs: 'absolute' } as const
  const said = Object.entries(units).flatMap(([suffix, unit]) => {
    const limit = envelope[`${name}${suffix}`]
    if (limit === undefined) return []
    return [limit === 'strict' ? isUnmoved : createBound(unit, limit)]
  })
  // A number without a unit says nothing, so that only `strict` is meant.
  return envelope[name] === undefined ? said : [...said, isUnmoved]
}

type Unit = 'percent' | 'points' | 'absolute'

/** What a whole is divided into. */
const PARTS: Readonly<Record<Exclude<Unit, 'absolute'>, string>> = {
  percent: '100',
  points: '10000',
}

function createBound(unit: Unit, limit: JsonValue): Holds {
  return (was, is) => {
    const [from, to, most] = [parseNumeral(was), parseNumeral(is), parseNumeral(limit)]
    if (from === null || to === null || most === null)
      return toCanonicalJson(was) === toCanonicalJson(is)
    const moved = toAbsolute(subtractExact(to, from))
    if (unit === 'absolute') return !isGreater(moved, most)
    return !isGreater(
      multiplyExact(moved, parseExact(PARTS[unit])),
      multiplyExact(most, toAbsolute(from)),
    )
  }
}

const isUnmoved: Holds = (was, is) => {
  const [from, to] = [parseNumeral(was), parseNumeral(is)]
  if (from === null || to === null) return toCanonicalJson(was) === toCanonicalJson(is)
  return subtractExact(from, to).units === 0n
}

function parseNumeral(value: JsonValue): AuditDecimal | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && isNumeral(text) ? parseExact(text) : null
}
