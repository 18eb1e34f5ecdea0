/** A document may be dropped and put again under its name: who began to write the first has no part in the second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Unit } from '../../ports/store.ts'
import type { Artifact } from './artifact.ts'
import { done, layerStage, refusedWith } from './layer-stage.test-support.ts'

const RULES: Artifact = { name: 'rules', title: 'Rules', text: 'Gift cards are never refunded.' }
const FOREIGN = { ...RULES, text: 'Everybody gets a million.' }

/** Everything is written before: this makes it found. */
function isShowing({ writes }: Unit): boolean {
  return writes.some((write) => {
    return write.kind === 'put_record' && write.record === 'artifact' && write.body.chunks > 0
  })
}

test('a late writer does not show what somebody else wrote under its own label', async () => {
  const it = await layerStage()
  const { store } = it.runtime
  const commit = store.commit.bind(store)
  let showings = 0
  store.commit = async (unit) => {
    if (!isShowing(unit)) return commit(unit)
    showings += 1
    if (showings === 2) throw new Error('the process ended')
    if (showings === 1) {
      done(await it.layers.dropArtifact(RULES.name))
      const foreign = it.layers.putArtifact(FOREIGN, { by: 'external' })
      await assert.rejects(foreign, /the process ended/)
    }
    return commit(unit)
  }
  const late = await it.layers.putArtifact(RULES)
  const shown = done(await it.layers.searchArtifacts('million'))
  assert.deepEqual(
    shown.map(({ label, text }) => `${label}: ${text}`),
    [],
  )
  assert.equal(refusedWith(late), 'STORE_CONTENTION')
  done(await it.layers.putArtifact(RULES))
  const [piece] = done(await it.layers.searchArtifacts('gift cards'))
  assert.deepEqual([piece?.label, piece?.text], ['operator', RULES.text])
  await it.close()
})
