/**
 * `override`, `modify` and `abort`: somebody decides, bound to what was on their screen.
 *
 * Boundary: who may, when, and with which words is the kernel's law, which the server asks; here it is
 * only made sure that a decision is about what was shown.
 *
 * 1. Nothing is approved that was not shown in this session, as it is now.
 * 2. A decision that nobody answered is sent again as it was, under its key, and counts once.
 * 3. What was typed for a decision that did not count is there when it is typed again.
 */
import { randomUUID } from 'node:crypto'
import {
  buildDecisionBody,
  type Decision,
  type DecisionBody,
  type DecisionWords,
} from 'rubicon-agents'
import type { Decided, EscalationBrief, JudgedModification } from 'rubicon-agents/client'
import { type DecisionWord, isReasonCode, REASONS } from 'rubicon-kernel'
import { CliFailure } from '../failure.ts'
import { SYMBOLS } from '../output.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { findRequest, readBrief, showBrief } from './inbox-commands.ts'
import { isUnheard, unwrapServerAnswer } from './link.ts'
import { askModifiedParams, judgeModification } from './modified-params.ts'
import { answerTo, type ShellSession, throwMissing } from './session.ts'
import type { Typed } from './typed.ts'
import { formatValue } from './value-text.ts'

export const DECIDE_COMMANDS: readonly ShellCommand[] = [
  {
    name: 'override',
    args: 'ID',
    about: ['request'],
    summary: 'approve it, as it was shown',
    options: ['reason', 'acknowledge'],
    run: (session, typed) => decide(session, typed, 'OVERRIDE'),
  },
  {
    name: 'modify',
    args: 'ID [NAME=VALUE...]',
    about: ['request'],
    summary: 'approve it with changed parameters',
    options: ['reason', 'acknowledge', 'params'],
    run: (session, typed) => decide(session, typed, 'MODIFY'),
  },
  {
    name: 'abort',
    args: 'ID',
    about: ['request'],
    summary: 'abort it, and its flow; --retire retires the agent as well',
    options: ['reason'],
    flags: ['retire'],
    run: (session, typed) => decide(session, typed, 'ABORT'),
  },
  {
    name: 'ask-again',
    args: 'ID',
    about: ['request'],
    summary: 'ask again under the current rules, if an approval could not be carried out',
    run: askAgain,
  },
]

async function askAgain(session: ShellSession, typed: Typed): Promise<CommandResult> {
  const { link, out } = session
  const id = await findRequest(session, typed.args[0] ?? throwMissing('ID'))
  const asked = { params: { id }, body: {}, key: randomUUID() }
  const again = unwrapServerAnswer(await link.client.askAgain(asked))
  const { outcome, reason_code = '' } = again.answer
  session.shown.delete(id)
  out.line(`${SYMBOLS.waiting} ${id} superseded: ${outcome} ${reason_code}`.trimEnd())
  return { data: again }
}

async function decide(
  session: ShellSession,
  typed: Typed,
  word: DecisionWord,
): Promise<CommandResult> {
  const id = await findRequest(session, typed.args[0] ?? throwMissing('ID'))
  const before = session.unheard.get(id)
  if (before?.body.decision === word) {
    session.out.note(`${SYMBOLS.step} there was no answer before: the same decision is sent again`)
    return send(session, id, before)
  }
  const brief = await ensureBriefShown(session, id)
  demandOffered(brief, word)
  const skew = Date.parse(brief.now) - Date.now()
  const modified = word === 'MODIFY' ? await askModifiedParams(session, typed, brief) : null
  const judged = modified === null ? null : await judgeModification(session, id, modified)
  const { acknowledge } = judged ?? brief
  const said = await askWords(session, typed, { id, acknowledge }, word)
  const now = Date.now() + skew
  const decision = toDecision(word, judged, typed)
  return send(session, id, {
    key: randomUUID(),
    body: buildDecisionBody(brief, decision, said, now),
  })
}

function toDecision(
  word: DecisionWord,
  judged: JudgedModification | null,
  { options }: Typed,
): Decision {
  if (word === 'ABORT') return { word, retire: options.has('retire') }
  return judged === null ? { word: 'OVERRIDE' } : { word: 'MODIFY', judged }
}

/** What would be refused is said before anybody is asked for their words. */
function demandOffered({ id, may, outlook }: EscalationBrief, word: DecisionWord): void {
  const code = may[word]
  if (code === null) return
  const isDoomed = word === 'OVERRIDE' && outlook?.kind === 'refused' && outlook.code === code
  const summary = isReasonCode(code) ? REASONS[code].means : 'you may not decide this'
  const why = `${word.toLowerCase()} is not offered: it would be refused with ${code}`
  const fix = isDoomed ? `use \`ask-again\`, \`modify\` or \`abort\`` : `see \`show ${id}\``
  throw new CliFailure({ code, summary, why, fix })
}

/** What was shown, if it still is so; else it is shown now, and a script has to look first. */
async function ensureBriefShown(session: ShellSession, id: string): Promise<EscalationBrief> {
  const shown = session.shown.get(id)
  const latest = await readBrief(session, id)
  if (shown !== undefined && isSame(shown, latest)) return latest
  const { isTerminal } = session.lines
  if (shown !== undefined) session.out.note(`${SYMBOLS.waiting} it has changed since it was shown`)
  if (isTerminal) return showBrief(session, id)
  throw new CliFailure({
    code: shown === undefined ? 'NOT_SHOWN' : 'SHOWN_CHANGED',
    summary: `\`${id}\` was not shown in this session as it is now`,
    why: 'only what was shown can be approved',
    fix: `type \`show ${id}\` first`,
  })
}

function isSame(a: EscalationBrief, b: EscalationBrief): boolean {
  return JSON.stringify(a.binds) === JSON.stringify(b.binds)
}

async function askWords(
  session: ShellSession,
  typed: Typed,
  { id, acknowledge }: Pick<EscalationBrief, 'id' | 'acknowledge'>,
  word: DecisionWord,
): Promise<DecisionWords> {
  const draft = session.drafts.get(id)
  const acknowledgement =
    acknowledge === null || word === 'ABORT'
      ? ''
      : await askAcknowledgement(session, typed, acknowledge, draft?.acknowledgement)
  const reason = await answerTo(session, typed, 'reason', {
    prompt: '  reason: ',
    ...(draft === undefined ? {} : { prefilled: draft.reason }),
  })
  session.drafts.set(id, { reason, acknowledgement })
  return { reason, acknowledgement }
}

/** Whoever mistypes it is told at once, and before they have thought of a reason. */
async function askAcknowledgement(
  session: ShellSession,
  typed: Typed,
  words: string,
  before: string | undefined,
): Promise<string> {
  const answer = await answerTo(session, typed, 'acknowledge', {
    prompt: `  type ${formatValue(words)} to acknowledge: `,
    ...(before === undefined ? {} : { prefilled: before }),
  })
  if (answer === words) return answer
  if (typed.options.has('acknowledge') || !session.lines.isTerminal)
    throw new CliFailure({
      code: 'IMPACT_UNACKNOWLEDGED',
      summary: `\`${answer}\` is not what the request asks to be typed`,
      fix: `add --acknowledge '${words}', if that is what should happen`,
    })
  session.out.note(`${SYMBOLS.rejected} that is not ${formatValue(words)}; Ctrl-C takes it back`)
  return askAcknowledgement(session, typed, words, answer)
}

async function send(
  session: ShellSession,
  id: string,
  sent: { readonly key: string; readonly body: DecisionBody },
): Promise<CommandResult> {
  const { link, out, unheard, drafts, shown } = session
  unheard.set(id, sent)
  try {
    const decided = unwrapServerAnswer(
      await link.client.decideEscalation({ params: { id }, ...sent }),
    )
    drafts.delete(id)
    shown.delete(id)
    unheard.delete(id)
    out.line(`${out.symbol(chooseSymbol(decided))} ${id} ${describeOutcome(decided)}`)
    return { data: decided }
  } catch (error) {
    // A refusal is an answer: what is typed next is another intention.
    if (!isUnheard(error)) unheard.delete(id)
    throw error
  }
}

function chooseSymbol({ outcome, answer }: Decided): string {
  if (outcome === 'aborted') return SYMBOLS.rejected
  if (outcome === 'waiting') return SYMBOLS.waiting
  const ran = answer?.outcome ?? 'ACCEPTED'
  return ran === 'ACCEPTED' || ran === 'REPEATED' ? SYMBOLS.allowed : SYMBOLS.rejected
}

/** What was approved is compiled again: it may have run, or been refused after all. */
function describeOutcome({ outcome, missing, answer }: Decided): string {
  if (outcome === 'waiting') return `counted, ${missing} more to approve`
  if (outcome !== 'released' || answer === undefined) return outcome
  const { execution, reason_code = '' } = answer
  return ['released:', answer.outcome, execution?.status ?? '', reason_code].join(' ').trimEnd()
}
