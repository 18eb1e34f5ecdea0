/**
 * A bank that pays against documents. What the agent wants carries its proof; one that was made on another balance, or that
 * somebody changed on the way, pays nothing; and the one that paid can be checked when the bank is gone.
 */
import { rmSync } from 'node:fs'
import { AgentError } from 'rubicon-agents'
import type { JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import { exportBundle } from 'rubicon-runtime/evidence'
import type { Capability } from 'rubicon-runtime/ports'
import { nodeCrypto, verifyBundle } from 'rubicon-verifier'
import { buildContract } from '../../server/src/demo/contract.ts'
import {
  createHeldSource,
  type ExpectedAnswer,
  type Scenario,
  type Stage,
} from '../../server/src/demo/stage.ts'
import { createProvingAgent, type ProvingAgent } from './proving-agent.ts'

const AGENT = 'agent_banker'
const BALANCE = 'bank.balance'
const DONE: ExpectedAnswer = { outcome: 'ACCEPTED' }

export const scenario: Scenario = { name: 'dl-pci', play }

async function play(stage: Stage): Promise<void> {
  const paid: JsonObject[] = []
  const bank = { [BALANCE]: '1000' }
  const runtime = await stage.openRuntime({
    sources: [createHeldSource('core_bank', bank)],
    capabilities: [payCapability(paid)],
    topologies: [{ topology: 'DL_PCI', policy_kinds: ['PAY'] }],
  })
  const envelope = { jit_verification: { drift_envelope: { balance_pct: '0' } } }
  await runtime.deploy(buildContract(AGENT, ['PAY'], envelope))
  const banker = await createProvingAgent(runtime, AGENT)

  const unproven = await (await open(runtime)).propose(PAY)
  stage.recordDecision('PAY without a proof', unproven, expectRefusal('TOPOLOGY_MISMATCH'))
  const first = await open(runtime)
  const proof = await banker.proveWithin(first, PAY)
  stage.recordDecision('PAY 100 to alice, proven', await first.propose(proof), DONE)
  const again = await first.propose(proof)
  stage.recordDecision('the same proof once more', again, { outcome: 'REPEATED' })

  const drifted = await open(runtime)
  const stale = await banker.prove(drifted, PAY)
  bank[BALANCE] = '900'
  const late = await drifted.propose(stale)
  stage.recordDecision('PAY, proven on 1000, at 900', late, expectRefusal('REJECT_DRIFT'))

  const altered = await open(runtime)
  const honest = await banker.prove(altered, PAY)
  const params = { to: 'alice', amount: '999999' }
  const forged = { ...honest, intent_payload: { ...honest.intent_payload, params } }
  stage.recordDecision(
    'PAY, and the amount was changed to 999999',
    await altered.propose(forged),
    expectRefusal('REJECT_AUTH'),
  )
  await checkPayload(stage, banker, await open(runtime))
  stage.check('one payment was made', paid.length === 1 && paid[0]?.amount === '100')
  const entries = await runtime.store.listEntries('main', 0, 1_000)
  const commits = entries.filter(({ envelope: { kind } }) => kind === 'commit')
  stage.check('the ledger has one commit', commits.length === 1)
  await checkOffline(stage, runtime, first.dfid)
}

/** The payload of a proof is by the grammar: of who makes it, and whoever signs without asking it is refused by compile. */
async function checkPayload(stage: Stage, banker: ProvingAgent, flow: Flow): Promise<void> {
  const words = { ...PAY, params: { to: 'alice', amount: 'a hundred' } }
  const made = await banker.proveWithin(flow, words).catch((error: unknown) => error)
  const isRefused = made instanceof AgentError && made.code === 'DECODE_FAILED'
  stage.check('an amount in words is outside of the grammar, and is not signed', isRefused)
  const answer = await flow.propose(await banker.prove(flow, words))
  stage.recordDecision('PAY in words, signed all the same', answer, expectRefusal(INVALID))
}

const INVALID = 'ARGUMENTS_INVALID'

/** With nothing but the file: runtime, store and keys are closed. */
async function checkOffline(stage: Stage, runtime: Runtime, dfid: string): Promise<void> {
  await runtime.engine.checkpoint()
  const bundle = await exportBundle(runtime.store, nodeCrypto.sha256, dfid)
  const text = bundle.ok ? bundle.value : ''
  await stage.close(runtime)
  rmSync(stage.stateDirectory, { recursive: true, force: true })
  const { ok, findings } = verifyBundle(text, nodeCrypto)
  stage.check('its bundle verifies when the bank is gone', ok && findings.length === 0)
  const changed = verifyBundle(text.replaceAll('"100"', '"101"'), nodeCrypto)
  stage.check('and no longer with another amount in it', !changed.ok)
}

const PAY = { policy_kind: 'PAY', params: { to: 'alice', amount: '100' } }

function open(runtime: Runtime): Promise<Flow> {
  return runtime.open({ agent: AGENT, trigger: 'an invoice of alice', state: [BALANCE] })
}

function expectRefusal(reason_code: string): ExpectedAnswer {
  return { outcome: 'REJECTED', reason_code }
}

function payCapability(paid: JsonObject[]): Capability {
  return {
    kind: 'PAY',
    summary: 'pay out of the account',
    effect: 'keyed',
    risk: 'high',
    params: {
      type: 'object',
      properties: {
        to: { type: 'string', maxLength: 64 },
        amount: { type: 'string', pattern: '^[0-9]{1,12}$' },
      },
      required: ['to', 'amount'],
      additionalProperties: false,
    },
    jit_fields: ['balance'],
    jit: () => ({ balance: { path: BALANCE, kind: 'telemetry' } }),
    execute({ params }) {
      paid.push(params)
      return { result: { payment: `pay_${paid.length}` } }
    },
  }
}
