/** Several engines on one store, each with rules of its own. */
import assert from 'node:assert/strict'
import {
  type Answer,
  encodeHex,
  encodeUtf8,
  hashRules,
  type Policy,
  parseContract,
  type RuleSet,
} from 'rubicon-kernel'
import { createMemoryStore } from '../../adapters/memory/store.ts'
import { createTables, type Tables } from '../../adapters/memory/tables.ts'
import { verifyNow } from '../../adapters/system/ed25519.ts'
import { createHeadKey } from '../../adapters/system/head-key.ts'
import { systemRandom } from '../../adapters/system/random.ts'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../../adapters/system/signer.ts'
import { systemZones } from '../../adapters/system/zones.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { LeafEntry, Store } from '../../ports/store.ts'
import { type Book, buildRuleBook } from '../../rule-book.ts'
import type { Deps } from '../deps.ts'
import { Engine } from '../engine.ts'
import type { Executors } from '../engine-context.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

export const START: number = Date.parse('2026-06-01T12:00:00.000Z')

/** A policy as if it stood in a file. */
export function filed(name: string, deny: boolean): Policy {
  const hash = `sha256:${encodeHex(sha256(encodeUtf8(`${name} ${deny}`)))}`
  return {
    name,
    version: '1',
    source: { kind: 'file', language: 'typescript', hash },
    evaluate: () => ({ decision: deny ? { kind: 'deny', reason: `${name} says no` } : null }),
  }
}

export type Held = {
  readonly policies?: readonly Policy[]
  readonly capabilities?: readonly Capability[]
  readonly accept?: Deps['acceptRules']
  /** When it has started, an operator agrees to what it holds; for so long the rules before count. */
  readonly agreed?: { readonly previousForMs?: number }
  /** As if it were of another software. */
  readonly reasonTable?: RuleSet['reason_table']
  readonly executors?: Executors
  readonly reach?: (point: Failpoint) => Promise<void> | void
}

function withTable(book: Book, reason_table: RuleSet['reason_table']): Book {
  const ruleSet = { ...book.ruleSet, reason_table }
  const hash = hashRules(ruleSet, sha256)
  return { ...book, ruleSet, hash, rules: { ...book.rules, hash } }
}

export type RulesStage = {
  readonly clock: ReturnType<typeof handClock>
  readonly tables: Tables
  refundCapability(more?: Partial<Capability>): Capability
  engineOf(held?: Held): Engine
  /** How many refunds have left a process. */
  sent(): number
  /** Started, with the contract deployed. */
  start(held?: Held): Promise<Engine>
  entries(kind: string): readonly LeafEntry[]
}

/** `isShared`: whether several processes may be there at once. */
export function rulesStage({ isShared = true }: { readonly isShared?: boolean } = {}): RulesStage {
  const tables = createTables()
  const clock = handClock(START)
  let epoch = 0
  let sent = 0
  const refundCapability = (more: Partial<Capability> = {}): Capability => ({
    kind: 'REFUND',
    effect: 'unsafe',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    execute: () => {
      sent += 1
      return { result: 'done' }
    },
    ...more,
  })
  const storeOf = (): Store => {
    epoch += 1
    const kept = { tables, epoch }
    const shared = isShared ? { shared: { isGone: () => false } } : {}
    return createMemoryStore({ tenant: 'default', sha256, clock: clock.now, kept, ...shared })
  }
  const engineOf = (held: Held = {}): Engine => {
    const book = buildRuleBook(
      held.capabilities ?? [refundCapability()],
      held.policies ?? [filed('ops', false)],
      sha256,
    )
    assert.ok(book.ok, book.ok ? '' : book.error.summary)
    return new Engine(
      {
        tenant: 'default',
        audience: 'rubicon',
        store: storeOf(),
        clock,
        zones: systemZones,
        random: systemRandom,
        signer: createSeededSigner(encodeUtf8('rules'), RUNTIME_PURPOSES),
        headKey: createHeadKey(systemRandom),
        checker: { verify: async (...args) => verifyNow(...args) },
        tokenizer: async () => ({ name: 'none', count: () => 0 }),
        sinks: [],
        failpoints: { reach: async (point) => held.reach?.(point) },
        sha256,
        book: held.reasonTable === undefined ? book.value : withTable(book.value, held.reasonTable),
        ...(held.accept === undefined ? {} : { acceptRules: held.accept }),
      },
      { background: false, executors: held.executors ?? 'inline' },
    )
  }
  return {
    clock,
    tables,
    refundCapability,
    engineOf,
    sent: () => sent,
    async start(held = {}) {
      const engine = engineOf(held)
      const started = await engine.start()
      assert.ok(started.ok, started.ok ? '' : started.error.summary)
      if (held.agreed !== undefined) await agree(engine, held.agreed)
      const contract = parseContract(CONTRACT)
      assert.ok(contract.ok && (await engine.deploy(contract.value)).ok)
      return engine
    },
    entries: (kind) => tables.entries.filter(({ envelope }) => envelope.kind === kind),
  }
}

/** The hash that is printed for the change to what an engine holds. */
export async function acceptanceOf(engine: Engine): Promise<string> {
  const state = await engine.oversight.rules()
  assert.ok(state.ok && state.value.acceptance !== null)
  return state.value.acceptance
}

async function agree(engine: Engine, overlap: { readonly previousForMs?: number }): Promise<void> {
  const hash = await acceptanceOf(engine)
  const agreed = await engine.oversight.acceptRules({ hash, ...overlap })
  assert.ok(agreed.ok && agreed.value.kind === 'in_force')
}

/** Opens a flow and proposes a refund in it. */
export async function refundBy(engine: Engine, waitMs = 0): Promise<Answer> {
  const opened = await engine.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.ok(opened.ok, opened.ok ? '' : opened.error.summary)
  const { dfid, agent_id, snapshot_id, mission_hash } = opened.value.flow
  const proposal = {
    dfid,
    agent_id,
    policy_kind: 'REFUND',
    params: { amount: '20.00' },
    context_ref: snapshot_id,
    mission_context_hash: mission_hash,
  }
  return engine.propose(dfid, proposal, { waitMs })
}
