/** Calls that do not simply happen: refused, waiting for a person, sent again, and cut off in the middle. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { askRubicon, countFragileCalls, FRAGILE, FRAGILE_TOOL, type TriedPlace } from './place.ts'
import type { TriedSession } from './target.ts'
import { readMeta } from './try-tools.ts'

export type TriedCase = {
  readonly case: string
  /** Null: as expected. */
  readonly problem: string | null
}

type Case = (place: TriedPlace, session: TriedSession) => Promise<void>

const CASES: Readonly<Record<string, Case>> = {
  denied: refuseArgument,
  unknown_tool: refuseUnknownTool,
  approved: waitForPerson,
  repeated: repeatByKey,
  crashed: crashServer,
}

export async function tryCases(
  place: TriedPlace,
  session: TriedSession,
): Promise<readonly TriedCase[]> {
  const tried: TriedCase[] = []
  for (const [name, play] of Object.entries(CASES)) {
    const problem = await play(place, session).then(
      () => null,
      (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
    )
    tried.push({ case: name, problem })
  }
  return tried
}

function expectCode(answer: JsonObject, wanted: string): void {
  const code = readMeta(answer, 'rubicon/code')
  if (code !== wanted || answer.isError !== true)
    throw new Error(`answered ${JSON.stringify(answer)} in place of ${wanted}`)
}

function expectSuccess(answer: JsonObject): void {
  if (answer.isError === true || 'error' in answer)
    throw new Error(`answered ${JSON.stringify(answer)}`)
}

async function refuseArgument(_: TriedPlace, session: TriedSession): Promise<void> {
  const answer = await session.call({ name: 'everything__get-sum', args: { a: 11, b: 1 } })
  expectCode(answer, 'LIMIT_EXCEEDED')
}

/** Some clients look into the list first, and send nothing. */
async function refuseUnknownTool(_: TriedPlace, session: TriedSession): Promise<void> {
  const answer = await session.call({ name: 'everything__nothing', args: {} })
  if (typeof answer.error === 'string' && answer.error.includes('tool_not_found')) return
  expectCode(answer, 'TOOL_UNKNOWN')
}

const WORDS = [
  ...['--by', 'ann@example.com', '--justification', 'the desk needs it, as agreed'],
  ...['--acknowledge', 'mcp.files.move_file'],
]

/** The same call again, while it waits, is the same call: a client that was restarted does not ask twice. */
async function waitForPerson(place: TriedPlace, session: TriedSession): Promise<void> {
  const { data, at } = place
  const source = join(data, 'sub', 'deep.txt')
  const destination = join(data, 'sub', 'moved.txt')
  const call = { name: 'files__move_file', args: { source, destination } }
  const asked = await session.call(call)
  expectCode(asked, 'PENDING_APPROVAL')
  const again = await session.call(call)
  expectCode(again, 'PENDING_APPROVAL')
  const dfid = readMeta(asked, 'rubicon/dfid') ?? ''
  if (readMeta(again, 'rubicon/dfid') !== dfid) throw new Error('the same call waits twice')
  if (existsSync(destination)) throw new Error('it happened before anybody approved it')
  // What has a high impact is not approved by somebody who cannot have read it yet.
  await setTimeout(LIMITS.highImpactDwellMs + 500)
  const typed = [`${dfid}:1`, '--decision', 'override', '--yes', ...WORDS]
  askRubicon(place, ['escalations', 'resolve', ...typed, ...at])
  expectSuccess(await session.call({ name: 'rubicon_result', args: { dfid } }))
  if (!existsSync(destination)) throw new Error('it was approved, and did not happen')
}

async function repeatByKey({ data }: TriedPlace, session: TriedSession): Promise<void> {
  const path = join(data, 'ticks.txt')
  const edits = [{ oldText: 'tick', newText: 'tick tock' }]
  const meta = { 'rubicon/idempotencyKey': 'tick-1' }
  const call = { name: 'files__edit_file', args: { path, edits }, meta }
  const first = await session.call(call)
  expectSuccess(first)
  const second = await session.call(call)
  expectSuccess(second)
  if (JSON.stringify(first.content) !== JSON.stringify(second.content))
    throw new Error('the second answer is another one')
  const text = readFileSync(path, 'utf8')
  if (text !== 'tick tock') throw new Error(`it happened again: ${text}`)
}

async function crashServer(place: TriedPlace, session: TriedSession): Promise<void> {
  const call = { name: `${FRAGILE}__${FRAGILE_TOOL}`, args: { duration: 0.3, steps: 1 } }
  const first = await session.call(call)
  expectCode(first, toUncertain(first))
  const second = await session.call(call)
  expectCode(second, toUncertain(second))
  if (readMeta(first, 'rubicon/dfid') !== readMeta(second, 'rubicon/dfid'))
    throw new Error('the same call is another one, while nobody knows what became of it')
  const count = countFragileCalls(place)
  if (count !== 1) throw new Error(`it was sent ${count} times`)
}

/** What nobody can ask the server about goes from UNKNOWN to a person, who is then asked to find out. */
function toUncertain(answer: JsonObject): string {
  return readMeta(answer, 'rubicon/code') === 'MANUAL_REVIEW' ? 'MANUAL_REVIEW' : 'UNKNOWN'
}
