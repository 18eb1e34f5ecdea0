/** Manifests that say one thing and would do another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { parseManifest } from './parse-manifest.ts'
import { withRefund } from './refund.test-support.ts'

function findProblem(patch: JsonObject): string | null {
  const parsed = parseManifest(withRefund(patch))
  return parsed.ok ? null : parsed.error.summary
}

const http = (change: JsonObject): JsonObject => ({
  executor: { http: { ...change } },
})

test('no header makes another method, host or path of a request than the operator allowed', () => {
  const names = [
    'X-HTTP-Method-Override',
    'x-http-method',
    'X-Method-Override',
    'Forwarded',
    'X-Forwarded-Host',
    'X-Forwarded-For',
    'X-Original-URL',
    'X-Original-Host',
    'X-Rewrite-URL',
    'X-Host',
    'X-Real-IP',
    'X-HTTP-Host-Override',
  ]
  for (const name of names) {
    assert.match(
      String(findProblem(http({ headers: { [name]: 'DELETE' } }))),
      /not for a tool/,
      name,
    )
    const carried = http({ idempotency_header: name })
    assert.match(
      String(findProblem({ ...carried, idempotency: { carrier: name } })),
      /not for a tool/,
    )
  }
  assert.equal(findProblem(http({ headers: { 'X-Shop': 'tea', 'X-Request-Id': 'a' } })), null)
})

test('a probe that would say the same of every call is no probe', () => {
  const ask = (
    executor: JsonObject,
    applied: JsonValue = { eq: [{ status: true }, { const: 200 }] },
  ) => findProblem({ probe: { executor, applied } })
  const url = 'https://pay.example/refunds/latest'
  const fixed = { http: { method: 'GET', url, applied: [200, 404] } }
  assert.match(String(ask(fixed)), /`\/probe\/executor`.*no call in particular/)
  assert.equal(ask({ http: { ...fixed.http, query: { order: { param: '/order' } } } }), null)
  assert.equal(ask({ http: { ...fixed.http, idempotency_header: 'Idempotency-Key' } }), null)
  assert.equal(ask({ http: { ...fixed.http, url: 'https://pay.example/refunds/{/order}' } }), null)
  assert.equal(ask(fixed, { eq: [{ result: '/order' }, { param: '/order' }] }), null)
  const program = { http: null, command: { argv: ['/opt/pay/ask'], applied: [0] } }
  assert.match(String(ask(program)), /no call in particular/)
  const named = {
    ...program,
    command: { ...program.command, argv: ['/opt/pay/ask', { param: '/order' }] },
  }
  assert.equal(ask(named), null)
  assert.equal(ask({ ...program, command: { ...program.command, idempotency_env: 'KEY' } }), null)
})

test('an interpreter without a script of its own would run what a parameter says', () => {
  const run = (argv: readonly JsonValue[], more: JsonObject = {}): string | null =>
    findProblem({
      idempotency: { carrier: 'KEY' },
      executor: { http: null, command: { argv, idempotency_env: 'KEY', applied: [0], ...more } },
    })
  const stdin = { $: { param: '/order' } }
  const order = { param: '/order' }
  for (const program of ['php', 'ruby', 'perl', 'python3.12', 'node', 'R']) {
    const path = `/usr/bin/${program}`
    assert.match(String(run([path], { stdin })), /script/, program)
    assert.match(String(run([path, '-'], { stdin })), /script/, program)
    assert.match(String(run([path, order])), /script/, program)
    assert.match(String(run([path, 'pay.js', order])), /script/, program)
    assert.match(String(run([path, order, '/opt/pay/refund'])), /script/, program)
    assert.match(String(run([path, '--', order])), /script/, program)
    assert.equal(run([path, '/opt/pay/refund', order], { stdin }), null, program)
  }
  assert.equal(run(['/usr/bin/node', '--use-system-ca', '/opt/pay/refund.js', order]), null)
  assert.match(String(run(['/usr/bin/python3', '-m', order])), /script/)
})

test('no program that starts what it is given stands in the place of a shell', () => {
  const programs = ['toybox', 'stdbuf', 'ionice', 'taskset', 'chrt', 'flock', 'time', 'strace']
  const more = ['systemd-run', 'start-stop-daemon', 'ld-linux-x86-64.so.2', 'ld.so', 'npx', 'gdb']
  for (const name of [...programs, ...more]) {
    const command = { argv: [`/usr/bin/${name}`, { param: '/order' }], applied: [0] }
    const executor = { http: null, command: { ...command, idempotency_env: 'KEY' } }
    const problem = findProblem({ idempotency: { carrier: 'KEY' }, executor })
    assert.match(String(problem), /another program/, name)
  }
})

test('no variable of a manifest makes a program run, believe or ask somebody else', () => {
  const run = (env: JsonObject, carrier = 'KEY'): string | null =>
    findProblem({
      idempotency: { carrier },
      executor: {
        http: null,
        command: { argv: ['/opt/pay/refund'], env, idempotency_env: carrier, applied: [0] },
      },
    })
  const names = ['HTTPS_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'CURL_HOME', 'REQUESTS_CA_BUNDLE']
  const more = ['DOTNET_STARTUP_HOOKS', 'CLASSPATH', 'RSYNC_RSH', 'TAR_OPTIONS', 'VISUAL', 'XDG_X']
  for (const name of [...names, ...more]) {
    assert.match(String(run({ [name]: 'x' })), /not for a tool to set/, name)
    assert.match(String(run({}, name)), /not for a tool to set/, name)
  }
  assert.equal(run({ SHOP: 'tea', PROXY_OF_NOBODY: 'x' }), null)
})
