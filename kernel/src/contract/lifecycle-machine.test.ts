import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentStatus, LifecycleActor } from './lifecycle.ts'
import { mayMove } from './lifecycle-machine.ts'

const STATUSES: readonly AgentStatus[] = ['INITIALIZING', 'ACTIVE', 'SUSPENDED', 'RETIRED']
const ACTORS: readonly LifecycleActor[] = ['registry', 'runtime', 'operator', 'agent']

const ALLOWED = new Set([
  'null INITIALIZING operator',
  'INITIALIZING ACTIVE registry',
  'INITIALIZING SUSPENDED operator',
  'INITIALIZING RETIRED operator',
  'ACTIVE SUSPENDED runtime',
  'ACTIVE SUSPENDED operator',
  'ACTIVE RETIRED agent',
  'ACTIVE RETIRED operator',
  'ACTIVE RETIRED runtime',
  'SUSPENDED ACTIVE operator',
  'SUSPENDED RETIRED operator',
])

test('exactly these moves are allowed, of all that can be asked', () => {
  let asked = 0
  for (const from of [null, ...STATUSES]) {
    for (const to of STATUSES) {
      for (const actor of ACTORS) {
        const move = `${from} ${to} ${actor}`
        assert.equal(mayMove(from, to, actor), ALLOWED.has(move), move)
        asked += 1
      }
    }
  }
  assert.equal(asked, 80)
})
