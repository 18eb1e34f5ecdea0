/** What every part of the store's conformance suite builds on. */
import { hash } from 'node:crypto'
import {
  type Address,
  AUTHORITY,
  type CommitPayload,
  type Delta,
  MAIN,
  type Sha256,
  type Writ,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Guard, Store, Unit, UnitOutcome, Write } from '../store.ts'

export type StoreFixture = {
  readonly store: Store
  /** Closes the store, if it is open, and opens it again. */
  readonly reopen: () => Promise<Store>
  readonly clock: { readonly set: (ms: number) => void }
}

export type MakeStore = (options: {
  readonly tenant: string
  readonly now: number
}) => Promise<StoreFixture>

/** Registers one test of the suite; each gets a store of its own. */
export type RegisterCheck = (name: string, body: (fixture: StoreFixture) => Promise<void>) => void

export const TENANT = 'acme'
export const START: number = Date.UTC(2026, 0, 31, 9, 30)
export const computeSha256: Sha256 = (data) => hash('sha256', data, 'buffer')

export function toDfid(n: number): string {
  return `019c1200-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

export function toAddress(text: string): Address {
  return `sha256:${hash('sha256', text)}`
}

export function commit(store: Store, writes: readonly Write[]): Promise<UnitOutcome> {
  return store.commit({ guards: [], writes })
}

export function buildGuardedUnit(guard: Guard, writes: readonly Write[] = []): Unit {
  return { guards: [guard], writes }
}

export async function begin(store: Store): Promise<void> {
  await commit(store, [buildRoot(AUTHORITY), buildRoot(MAIN)])
}

export function buildRoot(trajectory: string): Write {
  const payload = '{"created_by":"test","protocol":"rubicon/2"}'
  return { kind: 'append', trajectory, entry: 'root', payload }
}

/** An entry that may stand there. */
export function buildNote(trajectory: string, n: number, dfid?: string): Write {
  const flow = dfid === undefined ? {} : { dfid }
  const entry = trajectory === AUTHORITY ? 'policy' : 'evidence'
  return { kind: 'append', trajectory, entry, payload: `{"n":${n}}`, ...flow }
}

export function buildWorldCommit(delta: Delta, trajectory: string = MAIN): Write {
  return { kind: 'append_commit', trajectory, dfid: toDfid(1), delta, payload: commitPayload() }
}

export function buildBranch(trajectory: string, source: string, seq: number): Write {
  return { kind: 'append_branch', trajectory, source: { trajectory: source, seq }, note: 'what if' }
}

export function putFlow(n: number, change: Partial<FlowRow> = {}): Write {
  return { kind: 'put_flow', flow: buildFlowRow(n, change) }
}

export function putExecution(n: number, step: string, change: Partial<ExecutionRow> = {}): Write {
  return { kind: 'put_execution', execution: buildExecutionRow(n, step, change) }
}

export function buildFlowRow(n: number, change: Partial<FlowRow> = {}): FlowRow {
  return {
    dfid: toDfid(n),
    version: 1,
    agent_id: 'trader',
    trigger: 'price "moved"',
    parent_dfid: null,
    root_dfid: toDfid(n),
    trajectory: MAIN,
    state: 'ACTIVE',
    tags: [],
    steps: 'one',
    rejections: 0,
    transient_rejections: 0,
    attempts: 0,
    snapshot_id: 'snap-1',
    snapshot_at: '2026-01-31T09:29:00.000Z',
    mission_hash: 'm',
    contract_hash: toAddress('contract'),
    contract_seq: 3,
    writs: [{ id: toAddress('writ'), nonce: 'n1' }],
    opened_at: '2026-01-31T09:30:00.000Z',
    expires_at: '2026-02-01T09:30:00.000Z',
    updated_at: '2026-01-31T09:30:00.000Z',
    history: [{ from: null, to: 'CREATED', at: '2026-01-31T09:30:00.000Z' }],
    event: null,
    ...change,
  }
}

export function buildExecutionRow(
  n: number,
  step: string,
  change: Partial<ExecutionRow> = {},
): ExecutionRow {
  return {
    dfid: toDfid(n),
    step_id: step,
    version: 1,
    trajectory: MAIN,
    status: 'DISPATCHED',
    policy_kind: 'BUY',
    params_fingerprint: 'f1',
    idempotency_key: `key-${n}-${step}`,
    intent: '{"intent_id":"i"}',
    dispatched: { trajectory: MAIN, seq: 5 },
    dispatched_at: '2026-01-31T09:30:00.000Z',
    last_sent_at: '2026-01-31T09:30:00.000Z',
    sends: 1,
    probes: 0,
    epoch: 1,
    next_at: null,
    reason_code: null,
    details: null,
    result: null,
    receipt: null,
    settled_at: null,
    ...change,
  }
}

export function buildWrit(name: string): Writ {
  return {
    id: toAddress(name),
    body: {
      tenant: TENANT,
      issuer_key: 'issuer-1',
      subject: 'trader',
      audience: 'rubicon',
      nonce: name,
      scopes: [{ kind: 'BUY' }],
      effect_ceiling: { read: true, write: true, external: false, irreversible: false },
      budget: { calls: '10' },
      window: { not_before: '2026-01-01T00:00:00.000Z', expires_at: '2026-12-31T00:00:00.000Z' },
      delegation: { max_depth: 0, may_delegate: false },
    },
    signature: { key_id: 'issuer-1', sig: 'AA==' },
  }
}

function commitPayload(): Omit<CommitPayload, 'delta' | 'inverse' | 'world_after'> {
  return {
    salt: 's',
    intent_id: toAddress('intent'),
    proposal_hash: toAddress('proposal'),
    writ_id: toAddress('writ'),
    observations: [],
    policy_trace_hash: toAddress('trace'),
    compiler_version: '1',
    rules_hash: 'r',
    facts_hash: toAddress('facts'),
    cost: { calls: '1' },
    receipt: { tx: 'ü"1"' },
    settled_by: 'answer',
  }
}
