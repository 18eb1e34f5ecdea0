/** The table of `testdata/markup/`, written out, and agents that put it into everything they may write. */
import { readFileSync } from 'node:fs'
import {
  type Contract,
  type Delta,
  isBlank,
  isObject,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime'
import type { Capability } from '../../../runtime/src/ports/capability.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'

const TABLE = new URL('../../../testdata/markup/table.json', import.meta.url)

/** What a payload does if it is not text: leave a mark, or ask for something. */
export const MARK = 'window.hit=1'
export const FETCHED = 'markup-hit'
const URLS = [`http://markup.invalid/${FETCHED}`, `/${FETCHED}`] as const

type Group = { readonly template: string } & Readonly<Record<string, readonly string[] | string>>

export function payloads(): readonly string[] {
  const { groups } = parseTable(readFileSync(TABLE, 'utf8'))
  return groups.flatMap(writtenOut).map((text, index) => {
    const url = URLS[index % 2] ?? ''
    return text.replaceAll('{js}', MARK).replaceAll('{url}', url)
  })
}

function parseTable(text: string): { readonly groups: readonly Group[] } {
  return JSON.parse(text) as { readonly groups: readonly Group[] }
}

function writtenOut({ template, ...columns }: Group): readonly string[] {
  let texts = [template]
  for (const [name, values] of Object.entries(columns)) {
    if (typeof values === 'string') continue
    texts = texts.flatMap((text) => values.map((value) => text.replaceAll(`{${name}}`, value)))
  }
  return texts
}

/** Whatever it is told it says again, as a provider may that repeats what it was sent. */
function saying(kind: string, risk: Capability['risk']): Capability {
  return {
    kind,
    effect: 'keyed',
    risk,
    reversible: true,
    idempotency: { carrier: 'header', window_s: 86_400 },
    scopes: { things: '/thing' },
    params: {
      type: 'object',
      properties: { thing: { type: 'string' }, data: {} },
      required: ['thing'],
    },
    reads: () => ({ state: ['market.news'] }),
    preview: ({ thing = null, data = null }) => [
      { subject: String(thing), field: 'data', before: thing, after: data, unit: String(thing) },
    ],
    execute: ({ params }) => ({ result: params, receipt: params, delta: things(params.data) }),
  }
}

/** One thing of World for each text: a name may be any. */
function things(data: JsonValue | undefined): Delta {
  const list = isObject(data) && Array.isArray(data.list) ? data.list : []
  return list.map((text) => ({ op: 'create', kind: 'thing', id: String(text), value: text }))
}

/** A stranger's words, as State has them. */
export const WIRE = { source_id: 'wire', label: 'external', paths: ['market.news'] } as const

export const CAPABILITIES: readonly Capability[] = [saying('SAY', 'high'), saying('ECHO', 'low')]

/** An agent has no more than 100 requests waiting. */
const AGENTS = ['writer_a', 'writer_b', 'writer_c'] as const

function contract(agent: string): Contract {
  return buildContract(agent, ['SAY', 'ECHO', 'ESCALATE'], {
    permissions: { resources: { things: ['*'] } },
    safety_rules: { requires_human_approval: ['SAY'], escalations_per_hour: 1_000 },
  })
}

export type Written = {
  /** Requests, each with one payload. */
  readonly single: readonly string[]
  /** Flows with several in each field, and what stands in each. */
  readonly several: readonly { readonly dfid: string; readonly texts: readonly string[] }[]
}

const TOGETHER = 10

export async function writeEverywhere(runtime: Runtime): Promise<Written> {
  for (const agent of AGENTS) await runtime.deploy(contract(agent))
  const all = payloads()
  const single: string[] = []
  for (const [index, text] of all.entries()) {
    const flow = await opened(runtime, index, text)
    await propose(flow, 'SAY', text, { thing: text })
    single.push(`${flow.dfid}:1`)
  }
  const several = []
  for (let from = 0; from < all.length; from += TOGETHER) {
    const texts = all.slice(from, from + TOGETHER)
    several.push(await writeAll(runtime, from, texts))
  }
  return { single, several }
}

async function opened(runtime: Runtime, index: number, trigger: string): Promise<Flow> {
  const agent = AGENTS[index % AGENTS.length] ?? AGENTS[0]
  // What opens a flow shows something.
  const shown = isBlank(trigger) ? `-${trigger}` : trigger
  return runtime.open({ agent, trigger: shown, state: ['market.news'] })
}

/** In what opened the flow, notes, an explanation, names and values of parameters, reasons and State. */
async function writeAll(
  runtime: Runtime,
  index: number,
  texts: readonly string[],
): Promise<Written['several'][number]> {
  const joined = texts.join('\n')
  const news = { path: 'market.news', value: joined, source: 'wire' }
  await runtime.observe(news)
  const quick = await opened(runtime, index, joined)
  await propose(quick, 'ECHO', joined, { thing: joined, data: named(texts) })
  const asking = await opened(runtime, index, joined)
  await asking.escalate(joined)
  const flow = await opened(runtime, index, joined)
  await flow.note(joined)
  const { explain_ref } = await flow.explain({
    narrative: joined,
    identified_signals: texts,
    risks: texts,
  })
  await propose(flow, 'SAY', joined, { thing: joined, data: named(texts) }, { explain_ref })
  return { dfid: flow.dfid, texts }
}

async function propose(
  flow: Flow,
  policy_kind: string,
  justification: string,
  params: JsonObject,
  more: object = {},
): Promise<void> {
  const answer = await flow.propose({ policy_kind, params, justification, ...more })
  if (answer.outcome === 'REJECTED') throw new Error(`${answer.reason_code}: ${justification}`)
}

/** As names of members, too. */
function named(texts: readonly string[]): JsonValue {
  const members = Object.fromEntries(texts.map((text) => [text, text]))
  return isObject(members) ? { names: members, list: texts } : null
}
