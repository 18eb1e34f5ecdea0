import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { FlowState } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { NEXT } from '../flow/flow-stage.test-support.ts'
import { moveFlow } from './flow-row.ts'

const AT = '2026-06-01T12:00:00.000Z'

const STATES = Object.keys(NEXT) as readonly FlowState[]

function row(state: FlowState): FlowRow {
  return {
    dfid: 'flow',
    version: 7,
    agent_id: 'bot',
    trigger: 'test',
    parent_dfid: null,
    root_dfid: 'flow',
    trajectory: 'main',
    state,
    tags: [],
    steps: 'one',
    rejections: 0,
    transient_rejections: 0,
    attempts: 0,
    snapshot_id: '',
    snapshot_at: AT,
    mission_hash: '',
    contract_hash: 'sha256:0',
    contract_seq: 0,
    writs: [],
    opened_at: AT,
    expires_at: AT,
    updated_at: AT,
    history: [],
    event: null,
  }
}

test('a flow is moved along the arrows, and along no other: all pairs', () => {
  let refused = 0
  for (const from of STATES) {
    for (const to of STATES) {
      if (NEXT[from].includes(to)) {
        const moved = moveFlow(row(from), [to], AT)
        assert.equal(moved.state, to)
        assert.equal(moved.version, 8)
        assert.deepEqual(moved.history, [{ from, to, at: AT }])
      } else {
        assert.throws(() => moveFlow(row(from), [to], AT), /a flow may go from/)
        refused += 1
      }
    }
  }
  assert.equal(refused, 64 - 24, 'of sixty-four pairs twenty-four are arrows')
})

test('a path is refused when one of its steps is', () => {
  const last = moveFlow(row('ACTIVE'), ['VALIDATING', 'ACCEPTED', 'EXECUTING'], AT)
  assert.deepEqual(
    last.history.map(({ to }) => to),
    ['VALIDATING', 'ACCEPTED', 'EXECUTING'],
  )
  assert.throws(() => moveFlow(row('ACTIVE'), ['ACCEPTED', 'EXECUTING'], AT))
  assert.throws(() => moveFlow(row('ACTIVE'), ['CLOSED', 'ACTIVE'], AT))
})

/** Places that write down a state: the mover, and the first state of a flow that is opened. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  'rows/flow-row.ts': ['state: from,'],
  'flow/opening-row.ts': ["state: 'CREATED',"],
}

test('no other line of the engine gives a flow its state', () => {
  const engine = dirname(import.meta.dirname)
  const found: Record<string, string[]> = {}
  for (const path of globSync('**/*.ts', { cwd: engine })) {
    if (/\.(test|test-support)\.ts$/.test(path)) continue
    const text = readFileSync(join(engine, path), 'utf8')
    // Not a type, not a filter, not a fact that is shown: a member of a row.
    const lines = text.split('\n').filter((line) => {
      return /^\s*state: ('[A-Z]+'|from\b|to\b|next\b)/.test(line) || /\.state = /.test(line)
    })
    if (lines.length > 0) found[path] = lines.map((line) => line.trim())
  }
  assert.deepEqual(found, WRITERS)
})
