/** One case: a trick is played, and what came of it is read from the client, the ledger and the outside. */
import { isObject, type JsonObject } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { AGREED_DEFINITIONS } from './agreed-tools.ts'
import { readWords } from './client-wire.ts'
import { type EffectFinding, judgeCalls, type LedgerLine, listFlows } from './judge.ts'
import { type Desk, type DeskCase, toServerName } from './open-desk.ts'
import type { McpTrick, TrickStage } from './trick.ts'

export type PlayedCase = {
  readonly trick: string
  /** What the client heard. */
  readonly words: readonly string[]
  /** Why the trick itself could not be played. */
  readonly problem: string | null
}

export function buildDeskCase({ plan, timeoutMs }: McpTrick, rng: Rng): DeskCase {
  const whole = { tools: AGREED_DEFINITIONS, ...plan?.(rng) }
  return { plan: whole, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
}

export async function playCase(
  desk: Desk,
  index: number,
  trick: McpTrick,
  rng: Rng,
): Promise<PlayedCase> {
  if (trick.isStarted === true) await desk.start(index)
  const words = new Set<string>()
  const wires = [await desk.connect(index)]
  const stage = buildStage(desk, index, rng, wires, words)
  const problem = await (trick.play ?? playPayment)(stage).then(
    () => null,
    (cause: unknown) => String(cause),
  )
  for (const wire of wires) await wire.leave()
  return { trick: trick.name, words: [...words], problem }
}

async function playPayment(stage: TrickStage): Promise<void> {
  await stage.call('pay')
}

function buildStage(
  desk: Desk,
  index: number,
  rng: Rng,
  wires: Awaited<ReturnType<Desk['connect']>>[],
  words: Set<string>,
): TrickStage {
  const [wire] = wires
  if (wire === undefined) throw new Error('a client is connected')
  const prefix = `${toServerName(index)}__`
  let [ids, refs] = [0, 0]
  const drawRef = (): string => `${index}-${++refs}`
  const buildCall: TrickStage['buildCall'] = (tool, args = {}) => {
    const standard = tool === 'pay' ? { amount: rng.drawBetween(0, 100) } : {}
    const params = { name: `${prefix}${tool}`, arguments: { ref: drawRef(), ...standard, ...args } }
    return { id: ++ids, method: 'tools/call', params }
  }
  const addWords = (answer: JsonObject | null): void => {
    for (const word of readWords(answer)) words.add(word)
  }
  return {
    ...{ rng, prefix, wire, drawRef, buildCall, addWords },
    async connect() {
      const other = await desk.connect(index)
      wires.push(other)
      return other
    },
    async call(tool, args) {
      const asked = buildCall(tool, args)
      wire.say(asked)
      const answer = await wire.waitFor(asked.id)
      addWords(answer)
      return answer
    },
    approve: (answer) => desk.approve(findFlow(answer)),
  }
}

/** The flow that an answer names. */
export function findFlow(answer: JsonObject | null): string {
  const { result } = answer ?? {}
  const meta = isObject(result) ? result._meta : undefined
  const dfid = isObject(meta) ? meta['rubicon/dfid'] : undefined
  if (typeof dfid !== 'string') throw new Error(`no flow in ${JSON.stringify(answer)}`)
  return dfid
}

export type JudgedCase = {
  readonly effects: number
  readonly findings: readonly EffectFinding[]
  /** What did not come of it as it must; null: all did. */
  readonly unexpected: string | null
}

export function judgeCase(
  { readCalls, approved }: Pick<Desk, 'approved' | 'readCalls'>,
  lines: readonly LedgerLine[],
  index: number,
  { comesTo, effects: [least, most], isLying }: McpTrick,
  { words: heard, problem }: PlayedCase,
): JudgedCase {
  const server = toServerName(index)
  const calls = readCalls().filter((one) => one.server === server)
  const flows = listFlows(lines, server)
  const findings = judgeCalls(calls, flows, approved, isLying === true)
  const effects = calls.filter(({ tool }) => tool !== 'look').length
  const words = new Set([...heard, ...listLedgerWords(lines, server)])
  const missing = comesTo.filter((one) => ![one].flat().some((word) => words.has(word)))
  const isCounted = least <= effects && effects <= most
  const unexpected = [
    ...(problem === null ? [] : [problem]),
    ...(missing.length === 0 ? [] : [`${JSON.stringify(missing)} not in ${[...words].join(' ')}`]),
    ...(isCounted ? [] : [`${effects} effects, not ${least} to ${most}`]),
  ]
  return { effects, findings, unexpected: unexpected.length === 0 ? null : unexpected.join('; ') }
}

/** States and codes that the ledger has of a server's calls. */
function listLedgerWords(lines: readonly LedgerLine[], server: string): readonly string[] {
  const dfids = new Set<string>()
  const words: string[] = []
  for (const { kind, dfid, payload } of lines) {
    const { policy_kind } = (payload.proposal ?? {}) as JsonObject
    if (String(policy_kind).startsWith(`mcp.${server}.`)) dfids.add(dfid)
    if (!dfids.has(dfid)) continue
    if (kind === 'commit') words.push('SUCCESS')
    const { status, reason_code, details } = payload
    const code = isObject(details) ? details.code : undefined
    for (const word of [status, reason_code, code]) if (typeof word === 'string') words.push(word)
    const { observations } = payload
    for (const one of Array.isArray(observations) ? observations : [])
      if (isObject(one) && typeof one.withheld === 'string') words.push(one.withheld)
  }
  return words
}
