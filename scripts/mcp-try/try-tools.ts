/** Calls every tool directly and through the gateway, and compares what comes of it with what is expected. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { ExpectedTool } from './expected.ts'
import { findReference, type TriedPlace } from './place.ts'
import type { TriedClient, TriedSession } from './target.ts'

export type ToolResults = ReadonlyMap<ExpectedTool, JsonObject>

/** What the tools say to a client that is connected to their servers itself. */
export async function callDirectly(place: TriedPlace, client: TriedClient): Promise<ToolResults> {
  const results = new Map<ExpectedTool, JsonObject>()
  for (const [server, tools] of Map.groupBy(place.expected, (one) => one.server)) {
    const session = await client.connect(findReference(place, server))
    for (const one of tools)
      results.set(one, await session.call({ name: one.tool, args: one.args }))
    await session.close()
  }
  return results
}

export type TriedTool = {
  readonly tool: string
  readonly expected: string
  /** Null: as expected. */
  readonly problem: string | null
}

export async function callThroughGateway(
  { expected }: TriedPlace,
  session: TriedSession,
  direct: ToolResults,
): Promise<readonly TriedTool[]> {
  const tried: TriedTool[] = []
  for (const one of expected) {
    const tool = toShown(one)
    const answer = await session.call({ name: tool, args: one.args })
    const problem = findProblem(one, answer, findDirect(direct, one))
    tried.push({ tool, expected: one.outcome, problem })
  }
  return tried
}

/** By name: the place was made anew since. */
function findDirect(direct: ToolResults, { server, tool }: ExpectedTool): JsonObject {
  const found = [...direct].find(([one]) => one.server === server && one.tool === tool)
  return found?.[1] ?? {}
}

export function toShown({ server, tool }: Pick<ExpectedTool, 'server' | 'tool'>): string {
  return `${server}__${tool}`
}

function findProblem(
  { outcome, varies }: ExpectedTool,
  answer: JsonObject,
  direct: JsonObject,
): string | null {
  const code = readMeta(answer, 'rubicon/code')
  if (outcome !== 'same')
    return code === outcome ? null : `answered with ${code ?? JSON.stringify(answer)}`
  if (code !== undefined || 'error' in answer) return `answered with ${JSON.stringify(answer)}`
  const [ours, theirs] = [answer, direct].map((one) => toComparable(one, varies))
  return isDeepStrictEqual(ours, theirs)
    ? null
    : `says ${JSON.stringify(ours)}, and directly ${JSON.stringify(theirs)}`
}

/** Without what the gateway adds for whoever looks a call up. */
function toComparable({ _meta: _, ...said }: JsonObject, varies: RegExp | undefined): JsonValue {
  const text = JSON.stringify(said)
  return JSON.parse(varies === undefined ? text : text.replaceAll(varies, '*'))
}

export function readMeta({ _meta: meta }: JsonObject, name: string): string | undefined {
  const value = isObject(meta) ? meta[name] : undefined
  return typeof value === 'string' ? value : undefined
}
