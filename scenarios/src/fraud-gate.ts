/**
 * A gate before payments, one decision each, under atoms: what is small and clean passes, what is large does not, and who
 * is found compromised after the agent looked does not either.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createHeldSource, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

const AGENT = 'fraud_gate'
const USERS = ['user_legit', 'user_fraud', 'user_drift'] as const
type User = (typeof USERS)[number]

export const scenario: Scenario = { name: 'fraud-gate', play }

async function play(stage: Stage): Promise<void> {
  const payments: JsonObject[] = []
  const accounts = Object.fromEntries(USERS.map((user) => [toStatusPath(user), 'clean']))
  const runtime = await stage.openRuntime({
    sources: [createHeldSource('accounts', accounts)],
    capabilities: [payCapability(payments)],
    topologies: [{ topology: 'SDS', policy_kinds: ['PAY'] }],
  })
  await runtime.deploy(
    buildContract(AGENT, ['PAY'], {
      permissions: { limits: [{ id: 'amount', kind: 'range', measure: 'amount', max: '1000.00' }] },
    }),
  )
  const legit = await decide(runtime, 'user_legit', '50.00')
  stage.recordDecision('user_legit pays 50.00 from the US', legit, { outcome: 'ACCEPTED' })
  const fraud = await decide(runtime, 'user_fraud', '10000.00')
  stage.recordDecision(
    'user_fraud pays 10000.00',
    fraud,
    { outcome: 'REJECTED', reason_code: 'LIMIT_EXCEEDED' },
    'the contract ends at 1000.00',
  )
  const drift = await decide(runtime, 'user_drift', '50.00', () => {
    accounts[toStatusPath('user_drift')] = 'compromised'
  })
  stage.recordDecision(
    'user_drift pays 50.00, and is found compromised meanwhile',
    drift,
    { outcome: 'REJECTED', reason_code: 'STATE_DRIFT_DETECTED' },
    'an atom says nothing of what can change',
  )
  const [paid] = payments
  stage.check('one payment was made, of 50.00', payments.length === 1 && paid?.amount === '50.00')
  await stage.close(runtime)
}

/** `meanwhile`: between the look and the proposal. */
async function decide(
  runtime: Runtime,
  user: User,
  amount: string,
  meanwhile: () => void = () => {},
): Promise<Answer> {
  const flow: Flow = await runtime.open({
    agent: AGENT,
    trigger: `a payment of ${user}`,
    state: [toStatusPath(user)],
  })
  const { atom_id } = await flow.atom()
  meanwhile()
  return flow.propose({ policy_kind: 'PAY', params: { user, amount, country: 'US' }, atom_id })
}

function toStatusPath(user: string): string {
  return `accounts.${user}.status`
}

function payCapability(payments: JsonObject[]): Capability {
  return {
    kind: 'PAY',
    summary: 'let a payment pass',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: {
      type: 'object',
      properties: {
        user: { type: 'string', maxLength: 32 },
        amount: { type: 'string', pattern: '^[0-9]{1,7}\\.[0-9]{2}$' },
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
      },
      required: ['user', 'amount', 'country'],
      additionalProperties: false,
    },
    measures: { amount: ({ amount }) => amount },
    jit_fields: ['status'],
    // Unchanged, or nothing is paid.
    jit: ({ user }) => ({ status: { path: toStatusPath(String(user)), kind: 'position' } }),
    execute({ params }) {
      payments.push(params)
      return { result: { paid: params.amount ?? null } }
    },
  }
}
