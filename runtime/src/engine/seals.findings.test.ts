/** A runtime on Postgres, beside somebody who holds the database and no key. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { type Envelope, entryId, MAIN, payloadHash } from 'rubicon-kernel'
import {
  databaseOf,
  describeWithServer,
  emptyAddress,
  server,
} from '../adapters/postgres/testing.ts'
import { sha256 } from '../adapters/system/sha256.ts'
import { createOperator, RubiconError } from '../compose.ts'
import { type Example, exampleRuntime } from '../evidence/example.test-support.ts'
import { Readiness } from '../server/readiness.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'

type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>

/** The last refund once more, as well made as the runtime would make it. */
async function copyCommit({ runtime }: Example, sql: Sql): Promise<void> {
  const [head] = (await runtime.store.heads()).filter(({ trajectory }) => trajectory === MAIN)
  const entries = await runtime.store.entries(MAIN, 0, 100)
  const commit = entries.findLast(({ envelope }) => envelope.kind === 'commit')
  assert.ok(head !== undefined && commit !== undefined)
  const payload = commit.payload?.replace('20.00', '90.00') ?? ''
  const envelope: Envelope = {
    ...commit.envelope,
    seq: head.seq + 1,
    parent: head.id,
    payload_hash: payloadHash(payload, sha256),
  }
  const { tenant, seq, parent, at, dfid, payload_hash } = envelope
  const id = entryId(envelope, sha256)
  await sql(`INSERT INTO entries (tenant, trajectory, seq, id, parent, v, kind, at, dfid,
      payload_hash, payload, authority_head)
    SELECT '${tenant}', '${MAIN}', ${seq}, '${id}', '${parent}', 2, 'commit', '${at}', '${dfid}',
      '${payload_hash}', '${payload.replaceAll("'", "''")}', max(seq)
    FROM trajectories WHERE trajectory = 'authority';
    UPDATE trajectories SET seq = ${seq}, id = '${id}' WHERE trajectory = '${MAIN}'`)
}

const isMismatch = (error: unknown): boolean => {
  assert.ok(error instanceof Error && 'code' in error, String(error))
  assert.equal(error.code, 'HEAD_MISMATCH')
  return true
}

describeWithServer('a runtime on Postgres', () => {
  it('finding 14f: an entry that somebody put into the database is signed by nobody, and nothing goes on', async () => {
    const store = await emptyAddress()
    const options = { store, stateDirectory: join(temporaryFolder(), 'state'), sinks: [] }
    const one = await server()
    const sql: Sql = (text) => one.query(databaseOf(store), text)
    const signed = (): ReturnType<Sql> => {
      return sql('SELECT size, note, (SELECT head FROM tree_heads) AS head FROM checkpoints')
    }
    const example = await exampleRuntime({ ...options, background: false })
    await example.refund('20.00')
    await example.runtime.engine.checkpoint()
    const before = await signed()
    await copyCommit(example, sql)
    const { engine } = example.runtime
    const problems = await new Readiness(engine).problems()
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['BACKGROUND_STOPPED', 'HEAD_MISMATCH'],
    )
    await assert.rejects(engine.checkpoint(), isMismatch)
    await assert.rejects(example.refund('10.00'), isMismatch)
    assert.equal(example.calls(), 1)
    await example.close()
    assert.deepEqual(await signed(), before)

    await assert.rejects(exampleRuntime(options), (error) => {
      assert.ok(error instanceof RubiconError, String(error))
      assert.match(error.message, /behind its last leaf: the entry `sha256:\w+` stands in no batch/)
      return isMismatch(error)
    })
    const operator = await createOperator(options)
    const accepted = await operator.acceptRestore('looked at')
    assert.equal(accepted.ok && accepted.value.epoch, 1)
    await operator.stop()
    const again = await exampleRuntime(options)
    assert.equal((await again.refund('10.00')).outcome, 'ACCEPTED')
    await again.close()
  })
})
