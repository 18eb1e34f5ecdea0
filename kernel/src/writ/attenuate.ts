/** Makes the largest child that lies inside a parent and inside what was asked for. */
import { formatInstant, parseInstant } from '../canonical/time.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { LIMITS } from '../limits.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import { formatBudgetUnits, getGrantedUnits } from './budget.ts'
import { intersectScopes } from './scope.ts'
import type { Budget, EffectCeiling, Writ, WritBody, WritScope } from './writ.ts'

/** What is left out is not narrowed. A budget is whole: what it does not name is zero. */
export type AttenuationRequest = {
  readonly subject: string
  /** Without a key the child ends here: nobody can sign below it. */
  readonly subject_key?: string
  readonly nonce: string
  readonly scopes?: readonly WritScope[]
  readonly effect_ceiling?: Partial<EffectCeiling>
  readonly budget?: Budget
  readonly window?: { readonly not_before?: string; readonly expires_at?: string }
  readonly delegation?: { readonly max_depth?: number; readonly may_delegate?: boolean }
}

export function attenuateWrit(
  { id, body: parent }: Pick<Writ, 'id' | 'body'>,
  request: AttenuationRequest,
): Result<WritBody> {
  const { delegation, subject_key: issuer_key } = parent
  if (!delegation.may_delegate || delegation.max_depth < 1 || issuer_key === undefined) {
    return failAttenuation('DELEGATION_DEPTH', 'the parent writ cannot be delegated')
  }
  const scopes = narrowScopes(parent.scopes, request.scopes)
  if (!scopes.ok) return scopes
  const budget = narrowBudget(parent.budget, request.budget ?? parent.budget)
  if (!budget.ok) return budget
  const window = narrowWindow(parent.window, request.window ?? {})
  if (!window.ok) return window
  return ok({
    audience: parent.audience,
    budget: budget.value,
    delegation: narrowDelegation(delegation, request.delegation ?? {}),
    effect_ceiling: narrowCeiling(parent.effect_ceiling, request.effect_ceiling ?? {}),
    issuer_key,
    nonce: request.nonce,
    parent: id,
    scopes: scopes.value,
    subject: request.subject,
    ...(request.subject_key === undefined ? {} : { subject_key: request.subject_key }),
    tenant: parent.tenant,
    window: window.value,
  })
}

function narrowScopes(
  parents: readonly WritScope[],
  asked: readonly WritScope[] | undefined,
): Result<readonly WritScope[]> {
  if (asked === undefined) return ok(parents)
  const shared = new Map<string, WritScope>()
  for (const outer of parents) {
    for (const inner of asked) {
      const scope = intersectScopes(outer, inner)
      if (scope !== undefined) shared.set(toCanonicalText(scope), scope)
    }
  }
  if (shared.size === 0)
    return failAttenuation('DELEGATION_WIDENS', 'the parent has none of these scopes')
  if (shared.size > LIMITS.writScopes) {
    return failAttenuation('DELEGATION_WIDENS', `more than ${LIMITS.writScopes} scopes are left`)
  }
  return ok([...shared.values()])
}

function narrowCeiling(parent: EffectCeiling, asked: Partial<EffectCeiling>): EffectCeiling {
  return {
    read: parent.read && asked.read !== false,
    write: parent.write && asked.write !== false,
    external: parent.external && asked.external !== false,
    irreversible: parent.irreversible && asked.irreversible !== false,
  }
}

/** Measures that either side does not name are zero there, so the child does not have them. */
function narrowBudget(parent: Budget, asked: Budget): Result<Budget> {
  const budget: Record<string, string> = Object.create(null)
  for (const measure of Object.keys(asked)) {
    const granted = getGrantedUnits(parent, measure)
    const wanted = getGrantedUnits(asked, measure)
    if (granted === undefined || wanted === undefined) {
      return failAttenuation('DELEGATION_WIDENS', `budget \`${measure}\` is not an amount`)
    }
    if (!Object.hasOwn(parent, measure)) continue
    budget[measure] = formatBudgetUnits(measure, wanted)
    if (wanted > granted) budget[measure] = formatBudgetUnits(measure, granted)
  }
  return ok(budget)
}

function narrowWindow(
  parent: WritBody['window'],
  asked: Partial<WritBody['window']>,
): Result<WritBody['window']> {
  const starts = [parent.not_before, asked.not_before ?? parent.not_before].map(toEpochMs)
  const ends = [parent.expires_at, asked.expires_at ?? parent.expires_at].map(toEpochMs)
  // What cannot be read is NaN, and nothing is smaller than that.
  const from = Math.max(...starts)
  const until = Math.min(...ends)
  if (!(from < until)) return failAttenuation('DELEGATION_WIDENS', 'nothing of the window is left')
  return ok({ not_before: formatInstant(from), expires_at: formatInstant(until) })
}

function toEpochMs(text: string): number {
  return parseInstant(text) ?? Number.NaN
}

function narrowDelegation(
  parent: WritBody['delegation'],
  asked: Partial<WritBody['delegation']>,
): WritBody['delegation'] {
  const wanted = asked.max_depth ?? parent.max_depth
  const max_depth = Number.isSafeInteger(wanted)
    ? Math.max(0, Math.min(parent.max_depth - 1, wanted))
    : 0
  return { max_depth, may_delegate: max_depth > 0 && asked.may_delegate !== false }
}

function failAttenuation(
  code: string,
  summary: string,
): { readonly ok: false; readonly error: Failure } {
  return err({ code, summary })
}
