/**
 * Sends hostile inputs through the real boundary of an engine and says what came of each: the code,
 * how long it took, and how many ledger entries it left.
 *
 * Every input gets a flow of its own each time, so that no retry governor speaks. A refusal adds
 * one entry to the ledger, an effect two: dispatch and commit.
 */
import {
  type Contract,
  computeAddress,
  type EntryKind,
  type Failure,
  type JsonObject,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import { createMemoryStore } from '../../runtime/src/adapters/memory/store.ts'
import { systemClock } from '../../runtime/src/adapters/system/clock.ts'
import { poolChecker } from '../../runtime/src/adapters/system/ed25519.ts'
import { createHeadKey } from '../../runtime/src/adapters/system/head-key.ts'
import { systemRandom } from '../../runtime/src/adapters/system/random.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../../runtime/src/adapters/system/signer.ts'
import { loadSystemTokenizer } from '../../runtime/src/adapters/system/tokenizer.ts'
import { systemZones } from '../../runtime/src/adapters/system/zones.ts'
import { parseContractText } from '../../runtime/src/contract-file/read-contract-file.ts'
import { Engine } from '../../runtime/src/engine/engine.ts'
import type { Capability } from '../../runtime/src/ports/capability.ts'
import { buildRuleBook } from '../../runtime/src/rule-book.ts'
import { NESTED_REPETITION, PARSING_INPUTS, type ParsingInput } from './parsing-inputs.ts'

export type ParsingRow = {
  /** C1 to C12 of the threat model. */
  readonly row: string
  readonly input: string
  readonly expected: string
  /** The reason code, or ACCEPTED. */
  readonly code: string
  /** The median of three runs. */
  readonly ms: number
  readonly entries_added: number
  /** Of what was accepted: its parameters as the ledger holds them, and their content address. */
  readonly stored?: { readonly params: string; readonly address: string }
}

export const PAYER = 'payer_01'
const RUNS = 3

const buildContractText = (version: string, pattern: string): string => `agent_id: ${PAYER}
version: ${version}
owner: jane.doe@example.com
effective_from: 2020-01-01
authority: EXECUTE_FULL
mission: Pay what is due.
permissions:
  policy_kinds: [PAY, TOUCH, NAME]
  paths: {allow: ['re:${pattern}'], applies_to: [TOUCH]}
safety_rules:
  rejections_per_hour: 10000
`

export async function runParsingProof(
  options: { readonly progress?: (done: number, of: number) => void } = {},
): Promise<readonly ParsingRow[]> {
  const engine = await startEngine()
  try {
    // Once unmeasured: what is measured is the runtime, not the compiler of JavaScript warming up.
    for (const input of PARSING_INPUTS) await runOnce(engine, input)
    const rows: ParsingRow[] = []
    for (const input of PARSING_INPUTS) {
      rows.push(await measure(engine, input))
      options.progress?.(rows.length, PARSING_INPUTS.length)
    }
    return rows
  } finally {
    await engine.stop()
  }
}

async function startEngine(): Promise<Engine> {
  const store = createMemoryStore({ tenant: 'sim', sha256, clock: systemClock.now })
  const deps = {
    tenant: 'sim',
    audience: 'rubicon',
    store,
    clock: systemClock,
    zones: systemZones,
    random: systemRandom,
    signer: createSeededSigner(new Uint8Array(32), RUNTIME_PURPOSES),
    headKey: createHeadKey(systemRandom),
    checker: poolChecker,
    tokenizer: loadSystemTokenizer,
    sinks: [],
    failpoints: { reach: () => {} },
    sha256,
    book: unwrapResult(buildRuleBook(buildPayerCapabilities(), [], sha256)),
  }
  const engine = new Engine(deps, { background: false })
  unwrapResult(await engine.start())
  unwrapResult(await engine.deploy(buildPayerContract()))
  return engine
}

export function buildPayerContract(): Contract {
  return unwrapResult(
    parseContractText(buildContractText('1.0.0', NESTED_REPETITION), 'contract.yaml'),
  )
}

export function buildPayerCapabilities(): readonly Capability[] {
  const plain = { effect: 'keyed', risk: 'low', execute: () => ({}) } as const
  const named = nameSchema(NESTED_REPETITION)
  return [
    { ...plain, kind: 'PAY', params: { type: 'object' } },
    { ...plain, kind: 'TOUCH', params: { type: 'object' }, scopes: { paths: '/path' } },
    { ...plain, kind: 'NAME', params: named },
  ]
}

function nameSchema(pattern: string): JsonObject {
  return { type: 'object', properties: { name: { type: 'string', pattern } } }
}

async function measure(engine: Engine, input: ParsingInput): Promise<ParsingRow> {
  const runs: Outcome[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await runOnce(engine, input))
  const [last] = runs.slice(-1)
  if (last === undefined) throw new Error('every input is run')
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b)
  const { row, input: name, expected } = input
  const ms = Math.round((times[Math.floor(RUNS / 2)] ?? 0) * 1000) / 1000
  return { row, input: name, expected, ...last, ms }
}

type Outcome = Pick<ParsingRow, 'code' | 'ms' | 'entries_added' | 'stored'>

async function runOnce(engine: Engine, input: ParsingInput): Promise<Outcome> {
  const { store } = engine.context
  const call = await prepare(engine, input)
  const before = await store.countLeaves()
  const started = performance.now()
  const code = await call()
  const ms = performance.now() - started
  const entries_added = (await store.countLeaves()) - before
  const stored = await readStoredParams(engine, before)
  return { code, ms, entries_added, ...(stored === undefined ? {} : { stored }) }
}

/** Everything that is not to be measured happens here; the call that comes back is. */
async function prepare(engine: Engine, input: ParsingInput): Promise<() => Promise<string>> {
  if (input.via === 'contract') {
    const text = buildContractText('2.0.0', input.pattern)
    return async () => getResultCode(parseContractText(text, 'contract.yaml'))
  }
  if (input.via === 'schema') {
    const [capability] = buildPayerCapabilities()
    if (capability === undefined) throw new Error('there is a capability')
    const unsafe = { ...capability, params: nameSchema(input.pattern) }
    return async () => getResultCode(buildRuleBook([unsafe], [], sha256))
  }
  const { flow } = unwrapResult(await engine.open({ agent: PAYER, trigger: 'sim' }))
  const good = {
    dfid: flow.dfid,
    agent_id: PAYER,
    policy_kind: 'PAY',
    context_ref: flow.snapshot_id,
    mission_context_hash: flow.mission_hash,
  }
  const proposal = buildProposalBody(input, good)
  return async () => {
    const answer = await engine.propose(flow.dfid, proposal)
    return answer.reason_code ?? answer.outcome
  }
}

/** The body of a proposal; `good`: what it has where the input says nothing else. */
export function buildProposalBody(
  input: Extract<ParsingInput, { via: 'body' | 'members' | 'object' }>,
  good: Readonly<Record<string, string>>,
): Uint8Array | object {
  if (input.via === 'object') return { ...good, ...input.members() }
  if (input.via === 'body')
    return typeof input.body === 'string' ? new TextEncoder().encode(input.body) : input.body
  // The members replace those of the same name: a name that stood twice would be another attack.
  const replaced = Object.keys(JSON.parse(`{${input.members}}`))
  const kept = Object.entries(good).filter(([name]) => !replaced.includes(name))
  const text = JSON.stringify(Object.fromEntries(kept)).slice(0, -1)
  return new TextEncoder().encode(`${text},${input.members}}`)
}

/** What the ledger holds of the effect, if there was one. */
async function readStoredParams(engine: Engine, from: number): Promise<ParsingRow['stored']> {
  const entries = await engine.context.store.listLeaves(from, 10)
  const wanted: EntryKind = 'dispatch'
  const dispatch = entries.find(({ envelope }) => envelope.kind === wanted)
  if (dispatch?.payload == null) return undefined
  const { intent } = parseDispatch(dispatch.payload)
  return {
    params: toCanonicalText(intent.params),
    address: computeAddress('params', intent.params, sha256),
  }
}

function parseDispatch(text: string): { readonly intent: { readonly params: JsonObject } } {
  return JSON.parse(text) as { readonly intent: { readonly params: JsonObject } }
}

function getResultCode(result: Result<unknown, Failure>): string {
  return result.ok ? 'ACCEPTED' : result.error.code
}

function unwrapResult<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  throw new Error(`${result.error.code}: ${result.error.summary}`)
}
