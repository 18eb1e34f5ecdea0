import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Contract, parseJson, toCanonicalText } from 'rubicon-kernel'
import { describeContract } from './contract-sentences.ts'
import { formatContract } from './contract-text.ts'
import { parseContractText, readContractFile } from './read-contract-file.ts'

const SAMPLES = fileURLToPath(new URL('../../../testdata/contracts/', import.meta.url))

async function sample(name: string): Promise<Contract> {
  const read = await readContractFile(`${SAMPLES}${name}`)
  assert.ok(read.ok)
  return read.value
}

/** As it lies in the ledger. */
function stored(contract: Contract): Contract {
  const parsed = parseJson(toCanonicalText(contract))
  assert.ok(parsed.ok)
  return parsed.value as unknown as Contract
}

test('a contract as text reads to the same contract, with members in the order of the spec', async () => {
  const files = readdirSync(SAMPLES).filter((name) => name.endsWith('.yaml'))
  assert.ok(files.length >= 2)
  for (const file of files) {
    const contract = await sample(file)
    const text = formatContract(stored(contract))
    assert.match(text, /^api_version: rubicon\/v1\nkind: ResponsibilityContract\nagent_id: /)
    const again = parseContractText(text, file)
    assert.ok(again.ok, again.ok ? '' : again.error.summary)
    assert.equal(toCanonicalText(again.value), toCanonicalText(contract))
  }
})

test('texts that YAML would take for something else stay texts', async () => {
  const contract = await sample('agent-contract-flat.yaml')
  const odd = { ...contract, mission: 'yes: no # 0x1F\n- &a *b', owner: '007' }
  const again = parseContractText(formatContract(odd), 'odd')
  assert.ok(again.ok, again.ok ? '' : again.error.summary)
  assert.deepEqual([again.value.mission, again.value.owner], [odd.mission, odd.owner])
})

test('a contract says in sentences what it says in members', async () => {
  const contract = await sample('crypto-position-manager.yaml')
  const said = describeContract(contract).map(({ about, text }) => `${about}: ${text}`)
  const { permissions, safety_rules } = contract
  const expected = [
    `who: ${contract.agent_id} is of role ${contract.role} and acts by itself inside its limits; ${contract.owner} answers for it`,
    `who: what it cannot decide goes to ${contract.parent_agent} first`,
    `people: below a confidence of ${safety_rules.escalate_on_uncertainty} somebody is asked`,
    'stops: position_state must not have moved',
    'budget: a flow may spend 10000 of tokens',
  ]
  for (const sentence of expected)
    assert.ok(said.includes(sentence), `${sentence}\n${said.join('\n')}`)
  const limits = said.filter((sentence) => sentence.startsWith('limits: '))
  assert.equal(limits.length, permissions.limits.length)
})

test('how long a request waits is said where the contract says it', async () => {
  const contract = await sample('agent-contract-flat.yaml')
  const say = (approval_window_s: number): readonly string[] =>
    describeContract({
      ...contract,
      safety_rules: { ...contract.safety_rules, approval_window_s },
    }).map(({ text }) => text)
  assert.ok(say(57_600).includes('a request that nobody decides within 16 h ends its flow'))
})

test('a limit names its measure, its bound, and what happens beyond', async () => {
  const contract = await sample('agent-contract-flat.yaml')
  const common = { on_breach: 'reject', reason_code: 'LIMIT_EXCEEDED' } as const
  const limits = [
    { ...common, id: 'a', kind: 'range', measure: 'usd', min: '1', max: '5' },
    {
      ...common,
      id: 'b',
      kind: 'set',
      field: '/side',
      allowed: ['BUY', 'SELL'],
      denied: ['SHORT'],
    },
    { ...common, id: 'c', kind: 'ratio', measure: 'debt', of: 'equity', max: '2' },
    {
      id: 'd',
      kind: 'state_match',
      field: 'market.open',
      expected: true,
      on_breach: 'escalate',
      reason_code: 'STATE_MISMATCH',
      applies_to: ['BUY'],
    },
  ] as const
  const permissions = { ...contract.permissions, limits }
  const said = describeContract({ ...contract, permissions })
    .filter(({ about }) => about === 'limits')
    .map(({ text }) => text)
  assert.deepEqual(said, [
    'usd must be from 1 to 5; otherwise it is refused (LIMIT_EXCEEDED)',
    'parameter /side must be one of BUY and SELL, and none of SHORT; otherwise it is refused (LIMIT_EXCEEDED)',
    'debt must be at most 2 times equity; otherwise it is refused (LIMIT_EXCEEDED)',
    'for BUY, market.open must be true at the moment of the decision; otherwise somebody is asked (STATE_MISMATCH)',
  ])
})
