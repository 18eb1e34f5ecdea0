/**
 * `rubicon executions resolve DFID [STEP]`: a person settles what the runtime cannot. With a step, an
 * effect under review; without one, a dirty flow as a whole.
 */

import { executeAsOperator } from './as-operator.ts'
import {
  type CommandCall,
  createUsageFailure,
  getServerOption,
  parseSpeakerOption,
} from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { resolveDfidArgument } from './whole-id.ts'

const OUTCOMES = ['applied', 'not_applied', 'abandon'] as const
type Outcome = (typeof OUTCOMES)[number]

export async function resolve(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const dfid = await resolveDfidArgument(call)
  const [, step] = args
  const resolution = {
    outcome: parseOutcome(options.getRequired('outcome', '--outcome applied|not_applied|abandon')),
    evidence: { found: options.getRequired('evidence', '--evidence TEXT') },
    justification: options.getRequired('reason', '--reason TEXT'),
    by: parseSpeakerOption(call) ?? '',
  }
  // A server knows who they are by the token.
  if (getServerOption(call) === undefined) options.getRequired('by', '--by PERSON')
  const what = step === undefined ? `flow \`${dfid}\`` : `step \`${step}\` of flow \`${dfid}\``
  const { outcome } = resolution
  await confirm(call, { what: `${what} is ${outcome} from now on, on your word`, name: dfid })
  const { status, by } = await executeAsOperator(call, async (operator) => ({
    status: await operator.resolve(dfid, step, resolution),
    by: (await operator.speaker()) ?? resolution.by,
  }))
  out.line(
    `${out.symbol(SYMBOLS.allowed)} ${dfid}${step === undefined ? '' : ` ${step}`}: ${status}`,
  )
  out.data({ dfid, step_id: step ?? null, outcome, status, by, reason: resolution.justification })
  return EXIT.done
}

function parseOutcome(text: string): Outcome {
  const outcome = OUTCOMES.find((known) => known === text)
  if (outcome !== undefined) return outcome
  throw createUsageFailure(`\`${text}\` is no outcome`, `use one of ${OUTCOMES.join(', ')}`)
}
