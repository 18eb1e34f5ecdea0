import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { decodeBase64 } from 'rubicon-kernel'
import { createRuntime } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { poolChecker } from '../system/ed25519.ts'
import { computeKeyId, RUNTIME_PURPOSES } from '../system/signer.ts'
import { formatKeyComment, openAgentSigner } from './agent-signer.ts'
import { HAS_AGENT, type RealAgent, startAgent } from './real-agent.test-support.ts'

const EXAMPLE = new URL('../../../../examples/refunds-bot.yaml', import.meta.url).pathname
const COMMON = {
  tenant: 'default',
  purposes: RUNTIME_PURPOSES,
  keyId: computeKeyId,
  verify: poolChecker.verify,
}
const REFUND: Capability = {
  kind: 'REFUND',
  summary: 'pay a customer back',
  effect: 'keyed',
  risk: 'medium',
  idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
  params: { type: 'object' },
  measures: { refund_usd: ({ amount }) => amount },
  execute: () => ({ result: {} }),
}
const skip = HAS_AGENT ? false : 'OpenSSH is not installed'

async function agentWithKeys(t: TestContext): Promise<RealAgent> {
  const agent = await startAgent(t)
  for (const purpose of RUNTIME_PURPOSES) agent.add(formatKeyComment('default', purpose))
  return agent
}

test('finding 35d: an agent holds the keys of a runtime, and its folder has none', {
  skip,
}, async (t) => {
  const agent = await agentWithKeys(t)
  const folder = temporaryFolder()
  const options = {
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [REFUND],
    keyAgent: agent.socket,
    background: false,
  }
  const runtime = await createRuntime(options)
  await runtime.deploy(EXAMPLE)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const params = { order: 'o_1', amount: '20.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params })
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.deepEqual(readdirSync(join(folder, 'state', 'keys')), ['rows.key'])
  // Whoever is without its agent records nothing, and says why.
  const late = await runtime.open({ agent: 'refunds_bot', trigger: 'late' })
  agent.empty()
  await assert.rejects(late.propose({ policy_kind: 'REFUND', params }), {
    code: 'SIGNER_UNAVAILABLE',
  })
  await assert.rejects(runtime.open({ agent: 'refunds_bot', trigger: 'more' }), {
    code: 'SIGNER_UNAVAILABLE',
  })
  await runtime.close().catch(() => {})
  await assert.rejects(createRuntime(options), { code: 'SIGNER_UNAVAILABLE' })
  // Keys that come later are others than the ledger knows.
  for (const purpose of RUNTIME_PURPOSES) agent.add(formatKeyComment('default', purpose))
  const other = await createRuntime(options)
  await assert.rejects(other.start(), { code: 'KEY_UNREGISTERED' })
  await other.close()
})

test('finding 35d: what an agent signs holds, and two keys of one name are none', {
  skip,
}, async (t) => {
  const agent = await agentWithKeys(t)
  const signer = await openAgentSigner({ ...COMMON, socket: agent.socket })
  const message = new Uint8Array(100_000).fill(7)
  const signed = await Promise.all(RUNTIME_PURPOSES.map((one) => signer.sign(one, message)))
  for (const [index, purpose] of RUNTIME_PURPOSES.entries()) {
    const raw = decodeBase64(signer.publicKey(purpose)?.public_key ?? '') ?? new Uint8Array()
    assert.ok(await poolChecker.verify(raw, message, signed[index] ?? new Uint8Array()))
  }
  await assert.rejects(signer.sign('kernel', new Uint8Array(300_000)), /too long/)
  assert.equal((await signer.sign('kernel', message)).length, 64)
  agent.add(formatKeyComment('default', 'kernel'))
  await assert.rejects(openAgentSigner({ ...COMMON, socket: agent.socket }), /holds 2 Ed25519 keys/)
  await assert.rejects(
    openAgentSigner({ ...COMMON, tenant: 'acme', socket: agent.socket }),
    /holds 0 Ed25519 keys with the comment rubicon\/acme\/operator/,
  )
})

/** Answers every message with what `reply` makes of it. */
async function fakeAgent(t: TestContext, reply: (socket: Socket) => void): Promise<string> {
  const path = join(temporaryFolder(), 's')
  const server = createServer((socket) => {
    // A test that is over waits for nobody.
    socket.unref()
    socket.on('error', () => {})
    socket.on('data', () => reply(socket))
  }).listen(path)
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  assert.ok(existsSync(path))
  return path
}

test('finding 35d: an agent that is gone, silent, cut off or talks too much holds nobody up', async (t) => {
  const open = (socket: string) => openAgentSigner({ ...COMMON, socket, answerMs: 200 })
  await assert.rejects(open('/nowhere/agent'), /could not list its keys: .*ENOENT/)
  const cases: readonly [(socket: Socket) => void, RegExp][] = [
    [() => {}, /it did not answer/],
    [(socket) => socket.end(), /it ended the connection/],
    [(socket) => socket.write(Buffer.from('ffffffff0c', 'hex')), /too long/],
    [(socket) => socket.write(Buffer.from('0000000105', 'hex')), /did not list its keys/],
    [(socket) => socket.write(Buffer.from('000000050cffffffff', 'hex')), /did not list its keys/],
  ]
  for (const [reply, said] of cases)
    await assert.rejects(open(await fakeAgent(t, reply)), {
      code: 'SIGNER_UNAVAILABLE',
      message: said,
    })
})
