import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Contract, LIMITS, parseContract, parseJson, toCanonicalText } from 'rubicon-kernel'
import { RubiconError } from '../rubicon-error.ts'
import { loadContract } from './contract-from.ts'
import { listProblemLines } from './placed-problem.ts'
import { parseContractText, readContractFile } from './read-contract-file.ts'

const HEAD = `agent_id: a
version: 1.0.0
owner: o
effective_from: 2026-01-01
mission: m
permissions:
  policy_kinds: [BUY]
`

function sample(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/contracts/${name}`, import.meta.url))
}

async function read(name: string): Promise<Contract> {
  const result = await readContractFile(sample(name))
  assert.ok(result.ok, result.ok ? '' : result.error.summary)
  return result.value
}

function accepted(text: string): Contract {
  const result = parseContractText(text, 'c.yaml')
  assert.ok(result.ok, result.ok ? '' : result.error.summary)
  return result.value
}

/** `line:column path: detail` for each problem. */
function problems(text: string): readonly string[] {
  const result = parseContractText(text, 'c.yaml')
  if (result.ok) return []
  assert.equal(result.error.code, 'CONTRACT_INVALID')
  const found = result.error.meta?.problems
  assert.ok(Array.isArray(found))
  return found.map(({ line, column, path, detail }) => `${line}:${column} ${path}: ${detail}`)
}

test('the sample of the full form is read', async () => {
  const contract = await read('crypto-position-manager.yaml')
  assert.equal(contract.authority, 'EXECUTE_LIMITED')
  assert.equal(contract.parent_agent, 'strategy_agent_01')
  assert.equal('instance_of' in contract, false)
  assert.equal(contract.permissions.limits[0]?.reason_code, 'ORDER_VALUE_EXCEEDED')
  assert.equal(contract.safety_rules.escalate_on_uncertainty, '0.7')
  assert.equal(contract.safety_rules.budget_per_flow.tokens, '10000')
  assert.equal(contract.jit_verification.drift_envelope.position_state, 'strict')
})

test('the sample of the flat form is read', async () => {
  const contract = await read('agent-contract-flat.yaml')
  assert.equal(contract.authority, 'EXECUTE_LIMITED')
  assert.deepEqual(contract.permissions.resources.instruments, ['ETH-USD', 'BTC-USD'])
  assert.equal(contract.permissions.policy_kinds.length, 6)
  const [limit] = contract.permissions.limits
  assert.ok(limit?.kind === 'range')
  assert.equal(limit.measure, 'order_value_usd')
  assert.equal(limit.max, '50000')
  assert.equal(contract.safety_rules.wake_up_threshold_pnl_pct, '2.5')
  assert.equal(contract.aggregate_thresholds.max_average_discount_30d, '0.1')
})

test('what was read is the stored form, which reads to itself', async () => {
  for (const name of ['crypto-position-manager.yaml', 'agent-contract-flat.yaml']) {
    const text = toCanonicalText(await read(name))
    const document = parseJson(text)
    assert.ok(document.ok)
    const again = parseContract(document.value)
    assert.ok(again.ok)
    assert.equal(toCanonicalText(again.value), text)
  }
})

test('problems are told with line and column, all of them', () => {
  const text = HEAD.replace('owner: o', "owner: ' '").replace('1.0.0', 'one')
  const limits = '  limits:\n    - id: x\n      measure: m\n      max: lots\n'
  assert.deepEqual(problems(`${text}${limits}hue: 1\n`), [
    '2:1 version: must be a version like `1.2.0`, not `one`',
    '3:1 owner: must not be blank',
    '11:7 permissions.limits[0].max: must be a decimal number, not `lots`',
    '12:1 hue: is not a known field',
  ])
})

test('what is missing is told where its parent stands', () => {
  assert.deepEqual(problems(HEAD.replace('mission: m\n', '')), ['1:1 mission: is missing'])
  const limit = problems(`${HEAD}  limits:\n    - measure: m\n      max: 1\n`)
  assert.deepEqual(limit, ['9:7 permissions.limits[0].id: is missing'])
})

test('the summary names one problem and counts several, which follow by place', () => {
  const one = parseContractText(HEAD.replace('1.0.0', 'one'), 'c.yaml')
  assert.ok(!one.ok)
  assert.match(one.error.summary, /^the contract cannot be accepted: c\.yaml:2:1: version: must be/)
  assert.deepEqual(listProblemLines(one.error), [])
  const several = parseContractText('a: 1\nb: 2\nc: 3\n', 'c.yaml')
  assert.ok(!several.ok)
  const lines = listProblemLines(several.error)
  assert.equal(
    several.error.summary,
    `the contract cannot be accepted: c.yaml: ${lines.length} problems`,
  )
  assert.deepEqual(lines.slice(-2), [
    'c.yaml:2:1: b: is not a known field',
    'c.yaml:3:1: c: is not a known field',
  ])
})

test('of very many problems the first are named and all are counted', () => {
  const unknown = Array.from({ length: LIMITS.documentProblems }, (_, at) => `x${at}: 1\n`).join('')
  const result = parseContractText(`${HEAD.replace('1.0.0', 'one')}${unknown}`, 'c.yaml')
  assert.ok(!result.ok)
  assert.equal(listProblemLines(result.error).length, LIMITS.documentProblems)
  assert.match(result.error.summary, /c\.yaml: 1001 problems, the first 1000 of them named$/)
})

test('finding 30a: what YAML refuses, an unsafe expression and a wrong member hide one another', () => {
  const text = HEAD.replace('1.0.0', 'one')
  const wrong = `${text}  max_x: 1e3\n  accounts: ['re:(a)\\1', ok, 're:(']\n`
  const told = problems(wrong)
  assert.deepEqual(
    told.map((line) => line.slice(0, line.indexOf(': '))),
    [
      '2:1 version',
      '8:10 permissions.max_x',
      '9:14 permissions.accounts[0]',
      '9:30 permissions.accounts[2]',
    ],
  )
})

test('finding 30a: an object in a program is refused without the place of each problem', async () => {
  const object = {
    agent_id: 'a',
    owner: 'o',
    permissions: { policy_kinds: ['BUY'], accounts: ['re:('] },
  }
  const refused = await loadContract(object)
  assert.ok(!refused.ok)
  const { message } = new RubiconError(refused.error)
  assert.deepEqual(
    message
      .split('\n  ')
      .slice(1)
      .map((line) => line.slice(0, line.indexOf(': '))),
    ['/version', '/effective_from', '/mission', '/permissions/accounts/0'],
  )
})

const refusedYaml: Readonly<Record<string, string>> = {
  'an anchor': 'x: &a 1\n',
  'an alias': 'x: *a\n',
  'an anchor and its alias': 'x: &a 1\ny: *a\n',
  'a merge key': '<<: {a: 1}\n',
  'a custom tag': 'x: !secret y\n',
  'a standard tag': 'x: !!str 1\n',
  'a duplicate key': 'x: 1\nx: 2\n',
  'a second document': 'x: 1\n---\ny: 2\n',
  'another version of YAML': '%YAML 1.1\n---\nx: yes\n',
  'not a number': 'x: .nan\n',
  infinity: 'x: .inf\n',
  'negative infinity': 'x: -.inf\n',
  'negative zero': 'x: -0\n',
  'a hexadecimal number': 'x: 0x1F\n',
  'an octal number': 'x: 0o17\n',
  'a number with an exponent': 'x: 1e3\n',
  'a number with a superfluous zero': 'x: 007\n',
  'a number with a plus': 'x: +5\n',
  'a key that is a number': '1: x\n',
  'a key that is a list': '? [a]\n: x\n',
  'a key with an anchor': '&a x: 1\n',
  'half a surrogate pair': 'x: "\\uD800"\n',
  'half a surrogate pair in a key': '"\\uD800": x\n',
  'an open bracket': 'x: [1\n',
  'a tab as indentation': 'x:\n\t- 1\n',
  'deep nesting': `x: ${'['.repeat(70)}${']'.repeat(70)}\n`,
  'deeper nesting': `x: ${'['.repeat(20_000)}\n`,
}

for (const [what, yaml] of Object.entries(refusedYaml)) {
  test(`${what} is refused as YAML, whatever else is wrong`, () => {
    const found = problems(yaml)
    assert.ok(
      found.some((one) => !/: is (missing|not a known field)$/.test(one)),
      found[0],
    )
  })
}

test('an empty file and a text are not contracts', () => {
  assert.deepEqual(problems(''), ['1:1 : must be a map, not `null`'])
  assert.deepEqual(problems('hello\n'), ['1:1 : must be a map, not `hello`'])
})

test('amounts keep every digit that is written', () => {
  const max = (written: string): string | undefined => {
    const [limit] = accepted(`${HEAD}  max_x: ${written}\n`).permissions.limits
    return limit?.kind === 'range' ? limit.max : undefined
  }
  assert.equal(max('50000.00'), '50000')
  assert.equal(max('"50000.00"'), '50000')
  assert.equal(max('0.1'), '0.1')
  assert.equal(max('9007199254740993'), '9007199254740993')
  assert.equal(max('0.12345678901234567890123'), '0.12345678901234567890123')
})

test('a name that JavaScript gives a meaning is refused, not obeyed', () => {
  assert.deepEqual(problems(`${HEAD}__proto__: {owner: x}\n`), [
    '8:1 __proto__: is not a known field',
  ])
})

test('a file that is missing, too large or not UTF-8 is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rubicon-contract-'))
  try {
    const missing = await readContractFile(join(folder, 'no.yaml'))
    assert.ok(!missing.ok)
    assert.equal(missing.error.code, 'FILE_UNREADABLE')
    for (const [name, bytes] of [
      ['large.yaml', `# ${'x'.repeat(LIMITS.json.bytes)}`],
      ['latin1.yaml', new Uint8Array([0x61, 0x3a, 0x20, 0xe4])],
    ] as const) {
      await writeFile(join(folder, name), bytes)
      const result = await readContractFile(join(folder, name))
      assert.ok(!result.ok)
      assert.equal(result.error.code, 'CONTRACT_INVALID')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an expression that cannot run in linear time refuses the contract', () => {
  const result = parseContractText(`${HEAD}  accounts: ['re:(a)\\1']\n`, 'c.yaml')
  assert.ok(!result.ok)
  assert.equal(result.error.code, 'POLICY_REGEX_UNSAFE')
})

test('a text that is too large is refused before it is parsed', () => {
  assert.equal(problems('['.repeat(LIMITS.json.bytes + 1)).length, 1)
})

test('a name that stands twice is refused where it stands again, at any depth', () => {
  assert.ok(problems('x: 1\ny: 2\nx: 3\n').includes('3:1 : the name `x` stands twice'))
  const deep = problems('a:\n  b: {c: 1, "c": 2}\n')
  assert.ok(deep.includes('2:13 a.b: the name `c` stands twice'))
})

test('text with a colon in it is told to be put in quotes', () => {
  const read = parseContractText('mission: Give: back\n', 'c.yaml')
  assert.match(read.ok ? '' : read.error.summary, /put text that contains `: ` in quotes/)
})

test('of a file that is no YAML at all the first places are named', () => {
  const read = parseContractText('a: b: c\n'.repeat(40), 'c.yaml')
  assert.match(read.ok ? '' : read.error.summary, /: 3 problems/)
})
