import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { baseCase, type CasePatch, withCase } from './case.test-support.ts'
import { ALL_STAGES, COMPILE_STAGES, compile } from './compile.ts'
import { verdictOf } from './expect.test-support.ts'
import { createFactView, toAddressed } from './input.ts'
import { STAGES } from './verdict.ts'

/** Those of a proposal without a proof or an atom. */
const UNPROVEN = STAGES.filter((name) => name !== 'proof' && name !== 'atom')

const textOf = (patch: CasePatch): string =>
  toCanonicalText(verdictOf(patch) as unknown as JsonValue)

test('K1 the same input gives the same verdict, byte for byte', () => {
  const patches: readonly CasePatch[] = [
    {},
    { policy: 'asks' },
    { policy: 'denies' },
    { capability: 'throws' },
    { facts: { claim: { status: 'SUCCESS' } } },
  ]
  for (const patch of patches) assert.equal(textOf(patch), textOf(patch))
})

test('K2 the first stage that refuses decides, and no later stage runs', () => {
  const policies = [
    {
      name: 'late',
      version: '1',
      source: { kind: 'unpinned' as const },
      evaluate: () => assert.fail('ran'),
    },
  ]
  const verdict = verdictOf({ policies, facts: { agent: { status: 'SUSPENDED' } } })
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'AGENT_SUSPENDED')
  assert.deepEqual(
    verdict.trace.map(({ stage }) => stage),
    ['repeat', 'kind', 'signature', 'window', 'scope'],
  )
})

test('K3 an intent exists only if every stage passed', () => {
  assert.ok('intent' in compile(baseCase()))
  for (const patch of [{ policy: 'asks' }, { policy: 'denies' }] as const)
    assert.ok(!('intent' in verdictOf(patch)))
})

test('K4 the trace names every stage that ran and what it read', () => {
  const { trace } = compile(baseCase())
  assert.deepEqual(
    trace.map(({ stage, read }) => [stage, read]),
    COMPILE_STAGES.map(({ name, reads }) => [name, reads]),
  )
  assert.deepEqual([...ALL_STAGES.map(({ name }) => name), 'emission'], STAGES)
})

test('every stage reads what the specification says that it reads', () => {
  const spec = readFileSync(new URL('../../../docs/spec/compile.md', import.meta.url), 'utf8')
  const rows = spec.matchAll(/^\| (?:\d+ (?=\w)|(?=proof |atom ))(\w+) \| (`[^|]+`) \|/gm)
  const told = [...rows].map(([, name, reads = '']) => [
    name,
    reads.replaceAll('`', '').split(', '),
  ])
  assert.deepEqual(
    ALL_STAGES.map(({ name, reads }) => [name, reads]),
    told,
  )
})

test('an observer hears of every stage that ran, after it ran, and changes nothing', () => {
  const heard = (patch: CasePatch): readonly string[] => {
    const stages: string[] = []
    const verdict = compile(withCase(patch), (stage) => void stages.push(stage))
    assert.equal(toCanonicalText(verdict as unknown as JsonValue), textOf(patch))
    return stages
  }
  assert.deepEqual(heard({}), UNPROVEN)
  assert.deepEqual(heard({ policy: 'asks' }), UNPROVEN)
  const suspended = heard({ facts: { agent: { status: 'SUSPENDED' } } })
  assert.deepEqual(suspended, ['repeat', 'kind', 'signature', 'window', 'scope'])
  assert.deepEqual(heard({ facts: { claim: { status: 'SUCCESS' } } }), ['repeat'])
})

test('a verdict can always be written down, whatever a capability or a policy answered', () => {
  for (const capability of ['measures_nan', 'throws', 'precondition_throws'] as const)
    assert.ok(textOf({ capability }))
})

test('a stage sees facts by name, and what is not there is not there', () => {
  const { facts, contract, rules } = withCase({})
  const law = rules.capability('BUY') ?? assert.fail('there is a capability')
  const view = createFactView(facts.value, { law, contract })
  assert.equal(view.state('market.price.ETH-USD')?.value, '2000')
  assert.equal(view.state('market.price.BTC-USD'), undefined)
  assert.equal(view.world('position', 'ETH-USD')?.version, 1)
  assert.equal(view.world('position', 'BTC-USD'), undefined)
  assert.equal(view.world('order', 'ETH-USD'), undefined)
})

test('an addressed document has the address of its text', () => {
  const { facts, rules } = withCase({})
  assert.deepEqual(toAddressed('facts', facts.value, rules.sha256), facts)
})
