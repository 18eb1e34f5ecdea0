/**
 * `rubicon executions resolve DFID [STEP]`: a person settles what the runtime cannot. With a step, an
 * effect under review; without one, a dirty flow as a whole.
 */

import type { Client, ResolveFlowAsked } from 'rubicon-agents/client'
import { executeAsOperator } from './as-operator.ts'
import { assertSpeakerNamed, type CommandCall, createUsageFailure } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, readSpeaker, unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

export const OUTCOMES = ['applied', 'not_applied', 'abandon'] as const
type Outcome = (typeof OUTCOMES)[number]

export async function resolve(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const dfid = await resolveDfidArgument(call)
  const [, step] = args
  const resolution = {
    outcome: parseOutcome(options.getRequired('outcome', '--outcome applied|not_applied|abandon')),
    evidence: { found: options.getRequired('evidence', '--evidence TEXT') },
    justification: options.getRequired('reason', '--reason TEXT'),
  }
  assertSpeakerNamed(call)
  const what = step === undefined ? `flow \`${dfid}\`` : `step \`${step}\` of flow \`${dfid}\``
  const { outcome } = resolution
  const name = step === undefined ? dfid : `${dfid}:${step}`
  await confirm(call, { what: `${what} is ${outcome} from now on, on your word`, name })
  const { status, by } = await executeAsOperator(call, async (client) => ({
    status: await settle(client, dfid, step, resolution),
    by: await readSpeaker(client),
  }))
  out.line(
    `${out.symbol(SYMBOLS.allowed)} ${dfid}${step === undefined ? '' : ` ${step}`}: ${status}`,
  )
  out.data({ dfid, step_id: step ?? null, outcome, status, by, reason: resolution.justification })
  return EXIT.done
}

/** What became of it. */
async function settle(
  client: Client,
  dfid: string,
  step: string | undefined,
  body: ResolveFlowAsked['body'],
): Promise<string> {
  const key = createIdempotencyKey()
  if (step === undefined)
    return unwrapAnswer(await client.resolveFlow({ params: { dfid }, body, ...key })).standing
  const params = { id: `${dfid}:${step}` }
  return unwrapAnswer(await client.resolveExecution({ params, body, ...key })).status
}

export function parseOutcome(text: string): Outcome {
  const outcome = OUTCOMES.find((known) => known === text)
  if (outcome !== undefined) return outcome
  throw createUsageFailure(`\`${text}\` is no outcome`, `use one of ${OUTCOMES.join(', ')}`)
}
