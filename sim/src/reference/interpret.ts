/**
 * The law, a second time: written from the design documents, for reading and not for speed.
 *
 * It shares no code with the kernel, only types. Wherever the two disagree, one of them is wrong.
 * The order of precedence is that of the reason table, which is handed in.
 */
import type { CompileInput, ReasonCode } from 'rubicon-kernel'
import { isAsApproved } from './approval.ts'
import { checkAtom } from './atom.ts'
import {
  checkBudget,
  checkCapability,
  checkKind,
  checkScope,
  checkSignature,
  checkWindow,
  repeat,
} from './early-stages.ts'
import { computeLastMoment } from './last-moment.ts'
import { checkArguments, checkPreconditions, evaluatePolicies } from './late-stages.ts'
import { checkWay } from './proof.ts'
import { describeShortfall } from './shortfall.ts'

export type Opinion = {
  readonly verdict: 'staged' | 'suspended' | 'rejected' | 'repeated'
  readonly code: ReasonCode | null
  /** Of what is staged: it must not be dispatched then or later. */
  readonly dispatch_before?: string
  /** Of what is staged: what its flow needs a review for. */
  readonly flagged?: readonly string[]
  /** Of a refusal for want of budget: what was asked, what is left. */
  readonly short?: string
}

export function interpret(
  input: CompileInput,
  table: Readonly<Record<ReasonCode, unknown>>,
): Opinion {
  // How it comes is asked before everything else.
  const astray = checkWay(input)
  if (astray !== null) return { verdict: 'rejected', code: astray }
  const claimed = repeat(input)
  if (claimed === 'repeat') return { verdict: 'repeated', code: null }
  if (claimed !== null) return { verdict: 'rejected', code: claimed }
  for (const stage of [
    checkAtom,
    checkKind,
    checkSignature,
    checkWindow,
    checkScope,
    checkCapability,
    checkBudget,
    checkArguments,
  ]) {
    const code = stage(input)
    if (code !== null) return buildRejection(input, code)
  }

  const law = input.rules.capability(input.proposal.policy_kind)
  const { contract } = input
  if (law === undefined || contract === null) throw new Error('stages 4 and 5 let it through')
  const codes = Object.keys(table)
  const pickFirstCode = (found: readonly ReasonCode[]): ReasonCode | null =>
    [...found].sort((a, b) => codes.indexOf(a) - codes.indexOf(b))[0] ?? null

  const before = checkPreconditions(input, law, contract)
  const refused = pickFirstCode(before.refusals)
  if (refused !== null) return buildRejection(input, refused)
  const last = evaluatePolicies(input, law, contract)
  const denied = pickFirstCode(last.refusals)
  if (denied !== null) return { verdict: 'rejected', code: denied }
  const lifted = input.facts.value.approval?.lifts ?? []
  const left = [...before.triggers, ...last.triggers].filter(({ id }) => !lifted.includes(id))
  const asked = pickFirstCode(left.map(({ code }) => code))
  if (asked !== null) return { verdict: 'suspended', code: asked }
  if (!isAsApproved(input, law)) return { verdict: 'rejected', code: 'APPROVAL_VOID' }
  const { flagged } = before
  return { verdict: 'staged', code: null, dispatch_before: computeLastMoment(input), flagged }
}

function buildRejection(input: CompileInput, code: ReasonCode): Opinion {
  const short = describeShortfall(input, code)
  return { verdict: 'rejected', code, ...(short === undefined ? {} : { short }) }
}
