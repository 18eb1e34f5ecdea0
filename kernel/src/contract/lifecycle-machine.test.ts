import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentStatus, LifecycleActor } from './lifecycle.ts'
import { type AgentKind, mayMove, moveProblem } from './lifecycle-machine.ts'

const STATUSES: readonly AgentStatus[] = ['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED']
const ACTORS: readonly LifecycleActor[] = ['registry', 'runtime', 'operator', 'agent']

const ALLOWED: readonly string[] = [
  'INITIALIZING ACTIVE registry',
  'INITIALIZING SUSPENDED runtime',
  'INITIALIZING SUSPENDED operator',
  'INITIALIZING RETIRED operator',
  'ACTIVE SUSPENDED runtime',
  'ACTIVE SUSPENDED operator',
  'ACTIVE RETIRED agent',
  'ACTIVE RETIRED operator',
  'ACTIVE RETIRED runtime',
  'SUSPENDED ACTIVE operator',
  'SUSPENDED RETIRED operator',
]
const ONLY: Readonly<Record<AgentKind, readonly string[]>> = {
  class: ['null INITIALIZING operator'],
  instance: ['null INITIALIZING runtime', 'SUSPENDED RETIRED runtime'],
}

test('exactly these moves are allowed, of all that can be asked', () => {
  let asked = 0
  for (const kind of ['class', 'instance'] as const) {
    const allowed = new Set([...ONLY[kind], ...ALLOWED])
    for (const from of [null, ...STATUSES]) {
      for (const to of STATUSES) {
        for (const actor of ACTORS) {
          const move = `${from} ${to} ${actor}`
          assert.equal(mayMove(from, to, actor, kind), allowed.has(move), `${kind} ${move}`)
          asked += 1
        }
      }
    }
  }
  assert.equal(asked, 160)
})

test('an agent is a class agent unless it is said to be an instance', () => {
  assert.equal(mayMove(null, 'INITIALIZING', 'operator'), true)
  assert.equal(mayMove(null, 'INITIALIZING', 'runtime'), false)
})

test('only what leaves a suspension needs a justification, and blanks are none', () => {
  for (const from of [null, ...STATUSES]) {
    for (const to of STATUSES) {
      for (const actor of ACTORS) {
        const problem = (justification: string) => moveProblem({ from, to, actor, justification })
        const allowed = mayMove(from, to, actor)
        assert.equal(problem('looked at it'), allowed ? null : 'LIFECYCLE_REFUSED')
        const silent = from === 'SUSPENDED' ? 'JUSTIFICATION_REQUIRED' : null
        for (const blank of ['', ' ', '\n\t '])
          assert.equal(problem(blank), allowed ? silent : 'LIFECYCLE_REFUSED')
      }
    }
  }
})

test('an instance is born by the runtime', () => {
  const birth = { from: null, to: 'INITIALIZING', justification: 'spawned' } as const
  assert.equal(moveProblem({ ...birth, actor: 'runtime', kind: 'instance' }), null)
  assert.equal(moveProblem({ ...birth, actor: 'operator', kind: 'instance' }), 'LIFECYCLE_REFUSED')
})
