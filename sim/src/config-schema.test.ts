/** Values of config artifacts, held to a schema by the validator that holds the params of tools to theirs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Delta,
  findFormat,
  type JudgeValue,
  type PlanResult,
  planDelta,
} from 'rubicon-artifacts'
import { compileSchema } from 'rubicon-runtime/capabilities'

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['port'],
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    hosts: { type: 'array', items: { type: 'string', pattern: '^[a-z.]+$' }, uniqueItems: true },
    mode: { enum: ['fast', 'safe'] },
  },
}

const TEXTS = {
  'a.json': '{\n  "port": 80,\n  "hosts": ["a.b"]\n}\n',
  'a.jsonc': '{\n  "port": 80, // p\n  "hosts": ["a.b"],\n}\n',
  'a.yaml': 'port: 80 # p\nhosts:\n  - a.b\n',
}

function plan(name: string, text: string, delta: Delta): PlanResult {
  const format = findFormat(name)
  const parsed = format?.parse(text)
  const judge = compileSchema(SCHEMA)
  assert.ok(format !== undefined && parsed?.ok === true && judge.ok)
  const validate: JudgeValue = judge.value
  return planDelta(parsed.value, delta, format, validate)
}

test('behind every delta the whole value fits its schema, or nothing is planned', () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    for (const delta of [
      { op: 'setValue', target: 'key:port', value: 8080 },
      { op: 'setValue', target: 'key:mode', value: 'safe' },
      { op: 'setValue', target: 'key:hosts/item:1', value: 'c.d' },
      { op: 'removeKey', target: 'key:hosts' },
    ] as const)
      assert.ok(plan(name, text, delta).ok, `${name} ${JSON.stringify(delta)}`)
    for (const [delta, place] of [
      [{ op: 'setValue', target: 'key:port', value: '8080' }, '/port'],
      [{ op: 'setValue', target: 'key:port', value: 0 }, '/port'],
      [{ op: 'setValue', target: 'key:mode', value: 'slow' }, '/mode'],
      [{ op: 'setValue', target: 'key:hosts/item:0', value: 'A' }, '/hosts/0'],
      [{ op: 'setValue', target: 'key:hosts/item:1', value: 'a.b' }, '/hosts'],
      [{ op: 'setValue', target: 'key:debug', value: true }, '/'],
      [{ op: 'removeKey', target: 'key:port' }, '/'],
    ] as const) {
      const result = plan(name, text, delta)
      assert.ok(!result.ok, `${name} ${JSON.stringify(delta)}`)
      assert.equal(result.error.code, 'SCHEMA_VIOLATION')
      assert.ok(result.error.detail.includes(`\`${place}`), result.error.detail)
    }
  }
})

test('a fragment, and a value that was wrong before, are judged likewise', () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    const added = name === 'a.yaml' ? 'debug: true' : '"debug": true'
    const fragment = plan(name, text, { op: 'addMember', target: '', fragment: added })
    assert.equal(fragment.ok ? null : fragment.error.code, 'SCHEMA_VIOLATION')
    const wrong = text.replace('80', '0')
    const other = plan(name, wrong, { op: 'setValue', target: 'key:mode', value: 'fast' })
    assert.equal(other.ok ? null : other.error.code, 'SCHEMA_VIOLATION')
    assert.ok(plan(name, wrong, { op: 'setValue', target: 'key:port', value: 1 }).ok)
  }
})

test('what a schema cannot judge as a value is refused', () => {
  const delta = { op: 'setValue', target: 'key:port', value: 1 } as const
  const result = plan('a.yaml', 'port: 80\nhosts: .inf\n', delta)
  assert.match(result.ok ? '' : result.error.code, /^(?:TARGET_UNFIT|SCHEMA_VIOLATION)$/u)
  const added = plan('a.yaml', 'port: 80\n', {
    op: 'addMember',
    target: '',
    fragment: 'mode: .nan',
  })
  assert.equal(added.ok ? null : added.error.code, 'SCHEMA_VIOLATION')
})
