import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWidening } from 'rubicon-kernel'
import { runAuthorityProof } from './authority.ts'
import { FORGERIES } from './authority-forgery.ts'

const CHAINS = 1_000

test('no chain of writs widens authority', () => {
  const report = runAuthorityProof({ chains: CHAINS, seed: 1 })
  assert.equal(report.widened, 0, JSON.stringify(report.first))
  assert.equal(report.honest_refused, 0)
  for (const attempt of ['honest', 'smuggled', ...Object.keys(FORGERIES)]) {
    assert.ok((report.tried[attempt] ?? 0) > 0, `${attempt} was tried`)
  }
  for (const attempt of Object.keys(FORGERIES)) {
    assert.ok((report.refused[attempt] ?? 0) > 0, `${attempt} was refused`)
  }
})

test('one seed is one history', () => {
  const run = (seed: number): string => JSON.stringify(runAuthorityProof({ chains: 50, seed }))
  assert.equal(run(7), run(7))
  assert.notEqual(run(7), run(8))
})

test('a law that overlooks any one dimension is caught', () => {
  const dimensions = [
    'tenant',
    'audience',
    'parent',
    'issuer_key',
    'scopes',
    'effect_ceiling',
    'budget',
    'window',
    'delegation',
  ]
  for (const blind of dimensions) {
    const report = runAuthorityProof({
      chains: 200,
      seed: 2,
      law: (child, parent) => findWidening(child, parent).filter((one) => !one.startsWith(blind)),
    })
    assert.ok(report.widened > 0, `blind for ${blind}`)
  }
})
