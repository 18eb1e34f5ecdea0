/** What an agent says that it serves, held against what the rules ask it for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Topology, TopologyRow } from 'rubicon-kernel'
import { exampleRuntime } from '../../../evidence/example.test-support.ts'

const PROOFS: readonly TopologyRow[] = [{ topology: 'DL_PCI', policy_kinds: ['REFUND'] }]

test('an agent that does not serve what the rules ask it for gets no session, and is told which', async () => {
  const { runtime, close } = await exampleRuntime({ topologies: PROOFS })
  const shake = async (topologies?: readonly Topology[]): Promise<string> => {
    const named = topologies === undefined ? {} : { topologies }
    const done = await runtime.engine.handshake({ agent: 'refunds_bot', ...named })
    return done.ok ? 'session' : `${done.error.code}: ${done.error.summary}`
  }
  assert.match(await shake([]), /^TOPOLOGY_UNSERVED: .*DL_PCI/)
  assert.match(await shake(['EOAM']), /^TOPOLOGY_UNSERVED/)
  assert.equal(await shake(['EOAM', 'DL_PCI']), 'session')
  assert.equal(await shake(), 'session', 'one that says nothing is told with its proposals')
  await close()
})

test('an agent is not held to rows about others, or about kinds that it may not propose', async () => {
  const rows: readonly TopologyRow[] = [
    { topology: 'DL_PCI', agents: ['somebody_else'] },
    { topology: 'DL_PCI', policy_kinds: ['PAY_OUT'] },
  ]
  const { runtime, close } = await exampleRuntime({ topologies: rows })
  assert.ok((await runtime.engine.handshake({ agent: 'refunds_bot', topologies: [] })).ok)
  await close()
})

test('a kind in a row that no capability has is told at the start', async () => {
  const lines: string[] = []
  const rows: readonly TopologyRow[] = [
    { topology: 'DL_PCI', policy_kinds: ['REFUND', 'REFUNDS', 'SPAWN_CHILD'] },
  ]
  const { close } = await exampleRuntime({ topologies: rows, report: (line) => lines.push(line) })
  const told = lines.filter((line) => line.includes('`topologies`'))
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /REFUNDS/)
  await close()
})
