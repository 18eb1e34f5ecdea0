/** A runtime on Postgres, beside somebody who holds the database and no key. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import {
  createEmptyDatabase,
  describeWithServer,
  getServer,
  parseDatabaseName,
} from '../../../../runtime/src/adapters/postgres/testing.ts'
import { createOperator, RubiconError } from '../../../../runtime/src/compose.ts'
import {
  type Example,
  exampleRuntime,
} from '../../../../runtime/src/evidence/example.test-support.ts'
import type { StoredEntry, Write } from '../../../../runtime/src/ports/store.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { findLastEntry, insertCopy, type Sql } from './database-holder.test-support.ts'
import { Readiness } from './readiness.ts'

type Held = {
  readonly options: { readonly store: string; readonly stateDirectory: string }
  readonly sql: Sql
  readonly example: Example
}

async function whileHeld(body: (stage: Held) => Promise<void>): Promise<void> {
  const store = await createEmptyDatabase()
  const options = { store, stateDirectory: join(temporaryFolder(), 'state'), sinks: [] }
  const one = await getServer()
  const example = await exampleRuntime({ ...options, background: false })
  try {
    await body({ options, sql: (text) => one.query(parseDatabaseName(store), text), example })
  } finally {
    await example.close()
  }
}

const isMismatch = (error: unknown): boolean => {
  assert.ok(error instanceof Error && 'code' in error, String(error))
  assert.equal(error.code, 'HEAD_MISMATCH')
  return true
}

describeWithServer('a runtime on Postgres', () => {
  it('finding 14f: an entry that somebody put into the database is signed by nobody, and nothing goes on', async () => {
    await whileHeld(async ({ options, sql, example }) => {
      const signed = (): ReturnType<Sql> => {
        return sql('SELECT size, note, (SELECT head FROM tree_heads) AS head FROM checkpoints')
      }
      await example.refund('20.00')
      const { engine } = example.runtime
      await engine.checkpoint()
      const before = await signed()
      const commit = await findLastEntry(
        example.runtime,
        MAIN,
        ({ envelope }) => envelope.kind === 'commit',
      )
      await insertCopy(example.runtime, sql, commit, (payload) => payload.replace('20.00', '90.00'))
      const problems = await new Readiness(engine).findProblems()
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
        assert.match(error.message, /behind its last leaf: the entry `sha256:\w+` stands in no/)
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

  it('finding 14g: an entry of an operator that somebody repeated in the database lets nobody go on', async () => {
    await whileHeld(async ({ sql, example }) => {
      const { engine } = example.runtime
      const move = { agent_id: 'refunds_bot', actor: 'operator', justification: 'review' } as const
      for (const to of ['SUSPENDED', 'ACTIVE', 'SUSPENDED'] as const)
        assert.equal((await engine.moveAgent({ ...move, to })).ok, true)
      await assert.rejects(example.refund('20.00'), /suspended/)
      const isResumed = ({ envelope, payload }: StoredEntry): boolean =>
        envelope.kind === 'lifecycle' && payload?.includes('"from":"SUSPENDED"') === true
      await insertCopy(
        example.runtime,
        sql,
        await findLastEntry(example.runtime, AUTHORITY, isResumed),
      )
      await assert.rejects(engine.context.authorities.loadLatest(), isMismatch)
      await assert.rejects(example.refund('20.00'), isMismatch)
      assert.equal(example.calls(), 0)
    })
  })

  for (const [what, change] of [
    ['without its words', 'UPDATE entries SET payload = NULL'],
    ['behind an entry that is gone', 'DELETE FROM entries'],
  ])
    it(`finding 14g: authority ${what} is not taken up`, async () => {
      await whileHeld(async ({ sql, example }) => {
        const { engine, store } = example.runtime
        const { seq } = await engine.context.authorities.loadLatest()
        // As another process adds to it: nothing of it was read here yet.
        const writes = ['lifecycle', 'revocation'].map((entry) => {
          return { kind: 'append', trajectory: AUTHORITY, entry, payload: '{}' } as Write
        })
        assert.equal((await store.commit({ guards: [], writes })).ok, true)
        await store.integrate()
        await sql(`DROP TRIGGER entries_are_kept ON entries;
          DROP TRIGGER entries_are_frozen ON entries;
          ${change} WHERE trajectory = 'authority' AND seq = ${seq + 1}`)
        await assert.rejects(example.refund('20.00'), isMismatch)
      })
    })
})
