/** What a tool is, in a few words. */
import type { McpTool } from 'rubicon-agents/client'

/** `unsafe, cannot be undone, risk critical` */
export function describeClass({ class: said, state }: Pick<McpTool, 'class' | 'state'>): string {
  if (said === null) return state === 'unreviewed' ? 'not classified: may do anything' : ''
  return [String(said.effect), describeRisk(said)].join(', ')
}

/** Beside its effect: `cannot be undone, risk critical` */
export function describeRisk({
  effect,
  reversible,
  risk,
}: Readonly<Record<string, unknown>>): string {
  const undone =
    effect === 'read' ? [] : [reversible === true ? 'can be undone' : 'cannot be undone']
  return [...undone, `risk ${String(risk)}`].join(', ')
}

const STATES: Readonly<Record<McpTool['state'], string>> = {
  agreed: 'Its definition is the one that was approved.',
  unreviewed:
    'Its definition was approved, and nobody said what it does: it is treated as if it could do anything.',
  changed: 'Its server describes it differently than it was approved. It is not called.',
  gone: 'It was approved, and its server has it no more.',
  new: 'Nobody has approved it. Agents cannot call it.',
  refused: 'It cannot be approved.',
  unknown: 'Its server does not answer.',
}

export function describeState({ state, in_use }: Pick<McpTool, 'in_use' | 'state'>): string {
  const isApproved = state === 'agreed' || state === 'unreviewed'
  const later =
    isApproved && !in_use ? ' The approval is used after the next start of the server.' : ''
  return `${STATES[state]}${later}`
}
