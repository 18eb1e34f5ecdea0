/** The kernel's key signs a statement only about what stands in the tree that was signed. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { computeEntryId, type Envelope, hashPayload } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createProver, proveProposal } from '../engine/judge/prover.test-support.ts'
import { NotApplied } from '../ports/capability.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { exampleCapability, exampleRuntime } from './example.test-support.ts'
import { exportStatement } from './export-statement.ts'

type Forge = (database: DatabaseSync, settled: Settled) => void
type Settled = { readonly envelope: Envelope; readonly payload: string; readonly leaf: number }

const toSuccess = (payload: string): string => payload.replace('"FAILED"', '"SUCCESS"')

/** With hashes of its own, which fit. */
function seal({ envelope, payload }: Settled): { hash: string; id: string; said: string } {
  const said = toSuccess(payload)
  const payload_hash = hashPayload(said, sha256)
  return { said, hash: payload_hash, id: computeEntryId({ ...envelope, payload_hash }, sha256) }
}

const CHANGE = 'UPDATE entries SET packed = NULL, payload = ?'

const FORGERIES: Readonly<Record<string, Forge>> = {
  'in other words': (database, { payload, leaf }) => {
    database.prepare(`${CHANGE} WHERE leaf = ?`).run(toSuccess(payload), leaf)
  },
  'in other words, under hashes that fit them': (database, settled) => {
    const { said, hash, id } = seal(settled)
    database
      .prepare(`${CHANGE}, payload_hash = ?, id = ? WHERE leaf = ?`)
      .run(said, hash, id, settled.leaf)
  },
  'once more, behind what was signed': (database, settled) => {
    const { seq } = settled.envelope
    const next = { ...settled, envelope: { ...settled.envelope, seq: seq + 100 } }
    const { said, hash, id } = seal(next)
    database
      .prepare(`INSERT INTO entries
        (tenant, leaf, trajectory, seq, id, parent, v, kind, at, dfid, payload_hash, payload)
        SELECT tenant, leaf + 100, trajectory, seq + 100, ?, parent, v, kind, at, dfid, ?, ?
        FROM entries WHERE leaf = ?`)
      .run(id, hash, said, settled.leaf)
  },
}

for (const [how, forge] of Object.entries(FORGERIES))
  test(`no statement is signed where what became of an effect stands in the database ${how}`, async () => {
    const path = join(temporaryFolder(), 'ledger.db')
    const refuse = (): never => {
      throw new NotApplied('the bank refuses')
    }
    const { runtime, close } = await exampleRuntime({
      store: `sqlite:${path}`,
      background: false,
      capabilities: [{ ...exampleCapability(() => {}), execute: refuse }],
    })
    const by = await createProver(runtime, 'refunds_bot')
    const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'proven' })
    const wanted = { policy_kind: 'REFUND', params: { order: flow.dfid, amount: '20.00' } }
    const answer = await flow.propose(proveProposal(runtime, flow, by, wanted))
    assert.equal(answer.execution?.status, 'FAILED')
    const { engine, store } = runtime
    await engine.checkpoint()
    const outcome = async (): Promise<string> => {
      const exported = await exportStatement(engine.context, flow.dfid)
      if (!exported.ok) return exported.error.code
      const { payload } = JSON.parse(exported.value)
      return JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.decisions[0].outcome
    }
    assert.equal(await outcome(), 'FAILED')
    const [settled] = await store.listFlowEntries(flow.dfid, ['settle'])
    assert.ok(settled?.payload != null && settled.leaf !== null)
    const { envelope, payload, leaf } = settled
    forgeEntries(path, (database) => forge(database, { envelope, payload, leaf }))
    const said = await outcome().catch(({ code }: { readonly code: string }) => code)
    assert.ok(['HEAD_MISMATCH', 'CHECKPOINT_MISSING'].includes(said), said)
    await close()
  })

/** Whoever can write to the file. */
function forgeEntries(path: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path)
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'")
    .all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`)
  change(database)
  database.close()
}
