/**
 * Whether a choice of compensation is allowed, and in which order it is then carried out.
 *
 * G1 only the flow's own agent, or the one that answers for it, may choose.
 * G2 a choice is made once.
 * G3 the choice is on the menu of the contract, and on that of every effect that it would undo.
 * G4 what is not known to have happened cannot be undone: it is found out first.
 * G5 effects are undone in the reverse order of their success.
 */
import type { JsonObject } from '../canonical/json-value.ts'
import type { Refusal } from '../compile/verdict.ts'
import { isSettled } from '../execution/outcome-machine.ts'
import { ALERT_HUMAN } from './menu.ts'
import type { SagaFact, SagaStep } from './saga.ts'

export type Plan =
  | { readonly ok: true; readonly undo: readonly SagaStep[] }
  | { readonly ok: false; readonly refusal: Refusal }

export function planCompensation(saga: SagaFact | null | undefined, action: unknown): Plan {
  if (saga == null || !saga.related) return refusePlan('COMPENSATION_FOREIGN')
  const { standing } = saga
  if (standing !== 'open') return refusePlan('FLOW_NOT_DIRTY', { standing })
  if (action === ALERT_HUMAN) return { ok: true, undo: [] }
  return planUndo(saga, action)
}

/** What may be chosen, by the contract and by every effect that stands; where something is open, later. */
export function listOfferedChoices({
  menu,
  steps,
}: Pick<SagaFact, 'menu' | 'steps'>): readonly string[] {
  const stands = steps.filter(isStanding)
  const offered = menu.filter((word) => stands.every((step) => step.menu.includes(word)))
  return [...new Set([...offered, ALERT_HUMAN])]
}

function isStanding({ status }: SagaStep): boolean {
  return status === 'SUCCESS' || !isSettled(status)
}

/** What is left to do of a choice that was made. */
export function planUndo(saga: SagaFact, action: unknown): Plan {
  if (typeof action !== 'string' || !saga.menu.includes(action))
    return refusePlan('COMPENSATION_MENU', { menu: [...saga.menu, ALERT_HUMAN] })
  const stands = saga.steps.filter(isStanding)
  const fixed = stands.filter(({ menu }) => !menu.includes(action))
  if (fixed.length > 0) return refusePlan('COMPENSATION_MENU', { cannot: listStepNames(fixed) })
  const open = stands.filter(({ status }) => status !== 'SUCCESS')
  if (open.length > 0) return refusePlan('COMPENSATION_WAITS', { waits_for: listStepNames(open) })
  return { ok: true, undo: stands.toReversed() }
}

function listStepNames(steps: readonly SagaStep[]): string[] {
  return steps.map(({ dfid, step_id }) => `${dfid}:${step_id}`)
}

function refusePlan(
  code: 'COMPENSATION_FOREIGN' | 'FLOW_NOT_DIRTY' | 'COMPENSATION_MENU' | 'COMPENSATION_WAITS',
  details: JsonObject = {},
): Plan {
  return { ok: false, refusal: { code, details } }
}
