import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseManifest } from './parse-manifest.ts'
import { REFUND, withRefund } from './refund.test-support.ts'

/** Where what contradicts itself stands; null: nothing does. */
function findPlace(patch: JsonObject): unknown {
  const parsed = parseManifest(withRefund(patch))
  return parsed.ok ? null : parsed.error.meta?.pointer
}

const READING: JsonObject = {
  effect: 'read',
  idempotency: null,
  delta: null,
  compensations: null,
  probe: null,
}
const WORLD: JsonObject = {
  effect: 'put_if_match',
  executor: { http: null, world: true },
  idempotency: null,
  probe: null,
  result: null,
  compensations: null,
}
const PUT: JsonObject = { effect: 'put_if_match', probe: null, compensations: null }
const COMMAND: JsonObject = { argv: ['/usr/bin/pay', { param: '/order' }], applied: [0] }

function buildHttp(http: JsonObject): JsonObject {
  return { executor: { http } }
}

function buildCommand(command: JsonObject = {}): JsonObject {
  return { executor: { http: null, command: { ...COMMAND, ...command } } }
}

test('a contradiction is told by the place of the member that has to change', () => {
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ kind: 'SPAWN_INSTANCE' }, '/kind'],
    [{ compensations: { ALERT_HUMAN: { world: true } } }, '/compensations/ALERT_HUMAN'],
    [{ effect: 'queryable', probe: null }, '/effect'],
    [{ effect: 'unsafe', idempotency: null }, '/effect'],
    [{ ...READING, delta: REFUND.delta ?? null }, '/delta'],
    [{ ...READING, ...buildHttp({ method: 'PUT' }) }, '/executor/http/method'],
    [{ ...READING, ...buildHttp({ method: 'PATCH' }) }, '/executor/http/method'],
    [{ ...READING, ...buildHttp({ method: 'DELETE' }) }, '/executor/http/method'],
    [{ ...READING, executor: { http: null, world: true } }, '/executor'],
    [{ idempotency: null }, '/effect'],
    [{ effect: 'unsafe', probe: null }, '/idempotency'],
    [{ idempotency: { carrier: 'X-Other' } }, '/idempotency/carrier'],
    [buildHttp({ idempotency_header: null }), '/idempotency/carrier'],
    [{ ...PUT, ...buildHttp({ method: 'PUT' }) }, '/executor'],
    [{ ...PUT, ...buildHttp({ method: 'POST' }) }, '/executor'],
    [{ ...PUT, idempotency: null, ...buildCommand() }, '/executor'],
    [
      { compensations: { REVERT: { http: { idempotency_header: null } } } },
      '/compensations/REVERT',
    ],
    [{ ...WORLD, delta: null }, '/executor'],
    [{ ...WORLD, probe: REFUND.probe ?? null }, '/probe'],
    [{ ...WORLD, result: {} }, '/result'],
    [{ ...WORLD, effect: 'unsafe' }, '/effect'],
    [{ ...WORLD, compensations: REFUND.compensations ?? null }, '/compensations/REVERT'],
    [{ probe: { executor: { http: null, world: true } } }, '/probe/executor'],
    [{ probe: { executor: { http: { method: 'PUT' } } } }, '/probe/executor/http/method'],
    [{ probe: { executor: { http: { url: 'https://pay.example/' } } } }, '/probe/executor'],
    [{ exposure: { measure: 'eur' } }, '/exposure/measure'],
    [{ touches: 'none' }, '/touches'],
  ]
  for (const [patch, place] of cases) assert.equal(findPlace(patch), place, JSON.stringify(patch))
})

test('what reads is asked by GET, HEAD, POST, a command or an MCP server', () => {
  for (const method of ['GET', 'HEAD'])
    assert.equal(findPlace({ ...READING, ...buildHttp({ method, body: null }) }), null, method)
  assert.equal(findPlace({ ...READING, ...buildHttp({ method: 'POST' }) }), null)
  assert.equal(findPlace({ ...READING, ...buildCommand() }), null)
  const mcp_read = { server: 'files', method: 'prompts/get' }
  assert.equal(findPlace({ ...READING, executor: { http: null, mcp_read } }), null)
  const writes = { ...READING, effect: 'unsafe', executor: { http: null, mcp_read } }
  assert.equal(findPlace(writes), '/effect')
})

test('a key goes where the executor says, in a header or in a variable, and its name has no case', () => {
  assert.equal(findPlace({ idempotency: { carrier: 'IDEMPOTENCY-key' } }), null)
  const keyed: JsonObject = { compensations: null, idempotency: { carrier: 'KEY' } }
  assert.equal(findPlace({ ...keyed, ...buildCommand({ idempotency_env: 'KEY' }) }), null)
  assert.equal(findPlace({ ...keyed, ...buildCommand() }), '/idempotency/carrier')
  for (const effect of ['keyed', 'queryable'])
    assert.equal(findPlace({ effect, compensations: null }), null, effect)
  const if_match = { param: '/order' }
  assert.equal(findPlace({ ...PUT, ...buildHttp({ method: 'PUT', if_match }) }), null)
})

test('taking back is held to what the effect is held to', () => {
  const undo = (executor: JsonObject): JsonObject => ({ compensations: { REVERT: executor } })
  const keyless = { http: null, command: COMMAND }
  assert.equal(findPlace(undo(keyless)), '/compensations/REVERT')
  const withKey = { http: null, command: { ...COMMAND, idempotency_env: 'KEY' } }
  assert.equal(findPlace(undo(withKey)), null)
  assert.equal(findPlace(undo({ http: null, world: true })), null, 'nothing is sent')
  assert.equal(findPlace({ effect: 'queryable', ...undo(keyless) }), null, 'it has no key')
  const put = { ...PUT, ...buildHttp({ method: 'PUT', if_match: { param: '/order' } }) }
  const by = (method: string): unknown =>
    findPlace({ ...put, compensations: { REVERT: { http: { method } } } })
  assert.equal(by('DELETE'), null)
  assert.equal(by('POST'), '/compensations/REVERT')
  const inWorld = { compensations: { REVERT: { http: null, world: true } } }
  assert.equal(findPlace({ ...WORLD, ...inWorld }), null)
})

test('a probe may ask by GET, HEAD or POST', () => {
  for (const method of ['GET', 'HEAD', 'POST'])
    assert.equal(findPlace({ probe: { executor: { http: { method } } } }), null, method)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    assert.equal(
      findPlace({ probe: { executor: { http: { method } } } }),
      '/probe/executor/http/method',
    )
})

test('who says that nothing is touched names nothing that is', () => {
  const bare: JsonObject = {
    touches: 'none',
    ...{ scopes: null, sinks: null, exposure: null, resources: null, delta: null },
  }
  assert.equal(findPlace(bare), null)
  for (const name of ['scopes', 'sinks', 'exposure', 'resources', 'delta'])
    assert.equal(findPlace({ ...bare, [name]: REFUND[name] ?? null }), '/touches', name)
})

test('a refusal says what would do', () => {
  const tell = (patch: JsonObject): string => {
    const parsed = parseManifest(withRefund(patch))
    return parsed.ok ? '' : parsed.error.summary
  }
  assert.match(tell({ exposure: { measure: 'eur' } }), /measures: amount_usd, lines_usd/)
  const inWorld = { ...READING, executor: { http: null, world: true } }
  assert.match(tell(inWorld), /`world` reads nothing/)
  assert.match(tell({ measures: null }), /measures: it has none/)
  assert.match(tell({ idempotency: { carrier: 'X' } }), /sends: `Idempotency-Key`/)
})
