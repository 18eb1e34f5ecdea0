/** `flows`, `flow`, `executions` and `settle`. */
import { EXECUTION_STATUSES, FLOW_STATES } from 'rubicon-kernel'
import { OUTCOMES, parseOutcome } from '../resolve.ts'
import type { ShellCommand } from './command.ts'
import { throwMissing } from './session.ts'
import type { Typed } from './typed.ts'
import { createVerbCommand, type VerbInput } from './verb-command.ts'

/** As many as a screen holds. */
const LISTED = '30'
const STATES: readonly string[] = FLOW_STATES

export const FLOW_COMMANDS: readonly ShellCommand[] = [
  createVerbCommand({
    name: 'flows',
    args: '[STATE] [AGENT]',
    summary: 'list flows, newest first',
    words: STATES,
    about: ['agent'],
    read: readListedFlows,
    load: async () => (await import('../flows.ts')).listFlows,
  }),
  createVerbCommand({
    name: 'flow',
    args: 'DFID',
    about: ['flow'],
    summary: 'show a flow from trigger to outcome',
    load: async () => (await import('../flow-show.ts')).showFlow,
  }),
  createVerbCommand({
    name: 'executions',
    args: '[STATUS]',
    summary: 'effects; MANUAL_REVIEW waits for a person',
    words: EXECUTION_STATUSES,
    read: ({ args }) => ({ args: [], options: { status: args, limit: LISTED } }),
    load: async () => (await import('../executions.ts')).listExecutions,
  }),
  createVerbCommand({
    name: 'settle',
    args: 'DFID:STEP|DFID',
    summary: 'settle an effect under manual review, or a partly carried out flow',
    options: ['outcome', 'evidence', 'reason'],
    flags: ['yes'],
    words: OUTCOMES,
    about: ['effect', 'flow'],
    asks: [
      { option: 'outcome', prompt: `  outcome (${OUTCOMES.join(', ')}): `, check: parseOutcome },
      { option: 'evidence', prompt: '  what was found, and where: ' },
      { option: 'reason', prompt: '  reason: ' },
    ],
    read: readSettled,
    load: async () => (await import('../resolve.ts')).resolve,
  }),
]

function readListedFlows({ args }: Typed): VerbInput {
  const isState = (word: string): boolean => STATES.includes(word.toUpperCase())
  const agent = args.find((word) => !isState(word))
  return { args: [], options: { in: args.filter(isState), agent, limit: LISTED } }
}

/** A step may have colons in its name; a dfid has none. */
function readSettled({ args }: Typed): VerbInput {
  const [dfid = '', ...step] = (args[0] ?? throwMissing('ID')).split(':')
  return { args: step.length === 0 ? [dfid] : [dfid, step.join(':')] }
}
