/** The MCP server of the demo: it runs offline behind the gateway, and a tool that it changed is not called. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compareTools } from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime } from '../../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../../runtime/src/temporary-folder.test-support.ts'
import { openMcpFiles } from '../../../cli/mcp-place.ts'
import { askCarrier, PARCELS } from './parcels.ts'
import { writeCarrierFiles } from './write-carrier-files.ts'

test('the carrier answers what was approved, and what it changed since is refused', async () => {
  const folder = temporaryFolder()
  const { gateway, lock } = await openMcpFiles(writeCarrierFiles(join(folder, 'mcp')))
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    capabilities: gateway.capabilities,
    background: false,
  })
  try {
    await askCarrier(runtime, () => false)
    await askCarrier(runtime, () => false)
    const flows = await runtime.store.listFlows({ agent_id: PARCELS, limit: 20 })
    assert.equal(flows.length, 4, 'once for a store')
    const executions = await runtime.store.listExecutions({ limit: 20 })
    assert.deepEqual(executions.map(({ policy_kind, status }) => [policy_kind, status]).sort(), [
      ['mcp.carrier.book_pickup', 'SUCCESS'],
      ['mcp.carrier.claim_damage', 'FAILED'],
      ['mcp.carrier.track_parcel', 'SUCCESS'],
      ['mcp.carrier.track_parcel', 'SUCCESS'],
    ])
    assert.match(JSON.stringify(executions), /in the depot; it comes tomorrow/)
    const compared = await compareTools(gateway.servers, lock, nodeCrypto.sha256)
    assert.deepEqual(compared.map(({ tool, state }) => [tool, state]).sort(), [
      ['book_pickup', 'agreed'],
      ['cancel_parcel', 'new'],
      ['claim_damage', 'changed'],
      ['track_parcel', 'agreed'],
    ])
  } finally {
    await runtime.close()
    await gateway.close()
  }
})

test('what a person approved since is not taken back by the next start', () => {
  const folder = join(temporaryFolder(), 'mcp')
  writeCarrierFiles(folder)
  const lock = join(folder, 'mcp.lock.json')
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('Asks the carrier', 'Has the carrier'))
  writeCarrierFiles(folder)
  assert.match(readFileSync(lock, 'utf8'), /Has the carrier/)
})
