/** A choice of compensation, from the design: on the menu, of a dirty flow, with nothing unknown. */
import type { CompileInput, ReasonCode } from 'rubicon-kernel'

const OVER = ['SUCCESS', 'FAILED', 'ABANDONED']

export function findCompensationProblem({ facts, proposal }: CompileInput): ReasonCode | null {
  const { saga } = facts.value
  const { action } = proposal.params
  if (!saga?.related) return 'COMPENSATION_FOREIGN'
  if (saga.standing !== 'open') return 'FLOW_NOT_DIRTY'
  if (action === 'ALERT_HUMAN') return null
  const effects = saga.steps.filter(({ status }) => !['FAILED', 'ABANDONED'].includes(status))
  const menus = [saga.menu, ...effects.map(({ menu }) => menu)]
  if (!menus.every((menu) => menu.some((one) => one === action))) return 'COMPENSATION_MENU'
  return effects.every(({ status }) => OVER.includes(status)) ? null : 'COMPENSATION_WAITS'
}
