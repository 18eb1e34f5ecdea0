/** `rubicon escalations resolve`: a person decides, bound to what the request shows. */
import type { DecideEscalationAsked } from 'rubicon-agents/client'
import { type DecisionWord, type EscalationDecision, formatInstant } from 'rubicon-kernel'
import type { EscalationView } from 'rubicon-runtime/engine/approve'
import { executeAsOperator } from './as-operator.ts'
import { assertSpeakerNamed, type CommandCall, createUsageFailure } from './call.ts'
import { confirm } from './confirm.ts'
import { describe, readRequest } from './escalations.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, readSpeaker, unwrapAnswer } from './server-answer.ts'
import { resolveRequestArgument } from './whole-id.ts'

const VALID_S = 300

export async function resolveRequest(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const word = parseDecisionWord(options.getRequired('decision', '--decision approve|reject'))
  assertSpeakerNamed(call)
  const justification = options.getRequired('justification', '--justification TEXT')
  const whole = await resolveRequestArgument(call)
  const { decided, by } = await executeAsOperator(call, async (client) => {
    const view = await readRequest(client, whole)
    await ask(call, view, word)
    const body = toDecisionBody(buildDecision(call, view, word, justification))
    const asked = { params: { id: view.request.id }, body, ...createIdempotencyKey() }
    return {
      decided: unwrapAnswer(await client.decideEscalation(asked)),
      by: await readSpeaker(client),
    }
  })
  const { outcome, missing, dfid, request_id: id } = decided
  const more = missing > 0 ? `, ${missing} more to approve` : ''
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} ${outcome}${more}`)
  if (outcome === 'approved') out.note('it is carried out by the runtime that has the capability')
  out.data({ request_id: id, dfid, decision: word, by, outcome, missing })
  return EXIT.done
}

/**
 * The words of the console, and those of the ledger. What an edited request would run is judged before it is decided, by a
 * runtime that has the capability: not by this verb.
 */
const WORDS: ReadonlyMap<string, DecisionWord> = new Map([
  ['approve', 'OVERRIDE'],
  ['reject', 'ABORT'],
  ['override', 'OVERRIDE'],
  ['abort', 'ABORT'],
])

function parseDecisionWord(text: string): DecisionWord {
  const word = WORDS.get(text.toLowerCase())
  if (word !== undefined) return word
  const fix = 'use approve or reject; requests are edited in the console and in `rubicon shell`'
  throw createUsageFailure(`\`${text}\` is not a decision that can be given here`, fix)
}

/** What would run is shown to whoever says yes to it, before they do; HIGH_IMPACT has to be typed out. */
async function ask(call: CommandCall, view: EscalationView, word: DecisionWord): Promise<void> {
  const { options, out } = call
  const { impact, acknowledge = impact } = view.request
  describe(out, view)
  if (word === 'ABORT') {
    await confirm(call, { what: 'rejecting it ends its flow', name: 'ABORT' })
    return
  }
  if (options.text('acknowledge') !== undefined) return
  const flag = impact === 'HIGH_IMPACT' ? `--acknowledge '${acknowledge}'` : '--yes'
  await confirm(call, { what: `this is ${impact}`, name: acknowledge, flag })
}

function buildDecision(
  { options }: CommandCall,
  { request }: EscalationView,
  decision: DecisionWord,
  justification: string,
): EscalationDecision {
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge = impact } = request
  const common = {
    decision,
    intent_digest: options.text('digest') ?? intent_digest,
    shown_snapshot,
    justification,
  }
  if (decision === 'ABORT')
    return { ...common, lifts: [], ...(options.hasFlag('retire') ? { retire: true } : {}) }
  const lifted = options.getTexts('lift')
  const seconds = options.count('valid-for', VALID_S, 1)
  const typed = options.text('acknowledge') ?? acknowledge
  return {
    ...common,
    lifts: lifted.length > 0 ? lifted : triggers.map(({ id }) => id),
    valid_until: formatInstant(Date.now() + seconds * 1000),
    acknowledged_impact: typed === acknowledge ? impact : 'LOW_IMPACT',
    ...(request.acknowledge === undefined ? {} : { acknowledgement: typed }),
  }
}

function toDecisionBody({ lifts, ...rest }: EscalationDecision): DecideEscalationAsked['body'] {
  return { ...rest, lifts: [...lifts] }
}
