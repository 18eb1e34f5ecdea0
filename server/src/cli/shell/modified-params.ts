/** What `modify` puts in place of the parameters: typed, and judged before anybody approves it. */

import type { EscalationBrief, JudgedModification } from 'rubicon-agents/client'
import { escapeControls, isObject, parseJson } from 'rubicon-kernel'
import { createUsageFailure } from '../call.ts'
import { CliFailure } from '../failure.ts'
import { describeModification } from './brief-text.ts'
import { unwrapServerAnswer } from './link.ts'
import { answerTo, createDeclinedFailure, type ShellSession } from './session.ts'
import type { Typed } from './typed.ts'

/** The parameters that were proposed, with what is named here in their place. */
export async function askModifiedParams(
  session: ShellSession,
  typed: Typed,
  { effect }: EscalationBrief,
): Promise<Readonly<Record<string, unknown>>> {
  const proposed = effect?.params ?? {}
  const [, ...pairs] = typed.args
  if (pairs.length > 0)
    return {
      ...proposed,
      ...Object.fromEntries(pairs.map((pair) => parseParamChange(pair, proposed))),
    }
  const text = await answerTo(session, typed, 'params', {
    prompt: '  parameters: ',
    prefilled: escapeControls(JSON.stringify(proposed)),
  })
  const read = parseJson(text)
  if (!read.ok || !isObject(read.value))
    throw createUsageFailure(
      'the parameters are not a JSON object',
      'give one such as `{"amount":"20"}`',
    )
  if (JSON.stringify(read.value) === JSON.stringify(proposed)) throw createDeclinedFailure()
  return read.value
}

/** Text stays text; what was a number or a list is read as JSON. */
function parseParamChange(
  pair: string,
  proposed: Readonly<Record<string, unknown>>,
): readonly [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw createUsageFailure(`\`${pair}\` is not NAME=VALUE`, 'write such as usd=3000')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  const before = proposed[name]
  if (before === undefined || typeof before === 'string') return [name, value]
  const read = parseJson(value)
  if (read.ok) return [name, read.value]
  throw createUsageFailure(`\`${value}\` cannot stand for \`${name}\``, 'write it as JSON')
}

/** What will run is judged first, and shown: it may ask for more care than the request did. */
export async function judgeModification(
  { link, out }: ShellSession,
  id: string,
  params: Readonly<Record<string, unknown>>,
): Promise<JudgedModification> {
  const asked = { params: { id }, body: { modified: { params } } }
  const judged = unwrapServerAnswer(await link.client.judgeModification(asked))
  describeModification(out, judged)
  if (judged.digest !== null) return judged
  throw new CliFailure({
    code: judged.outlook.code ?? 'MODIFICATION_IMPOSSIBLE',
    summary: 'what you wrote instead would be refused',
    fix: 'change it to something that passes, or abort the request',
  })
}
