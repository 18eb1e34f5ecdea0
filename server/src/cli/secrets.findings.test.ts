import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { redactAddress } from '../../../runtime/src/ports/store-address.ts'
import { Options } from './call.ts'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import { deliverToken } from './first-token.ts'
import { findExposedSecret, getStoreAddress } from './store-option.ts'
import { startUpHere, writeRules } from './up.test-support.ts'

const RBO = /rbo_[A-Za-z0-9_-]+/

test('finding 35a: the first token goes into no log, and into a file of its owner alone', async (t) => {
  const { at, folder } = home()
  const up = await startUpHere(t, [...writeRules(folder), ...at])
  const { token, token_file } = up.said
  assert.deepEqual([token, token_file], [null, join(folder, 'state', 'operator.token')])
  assert.equal(statSync(token_file).mode & 0o777, 0o600)
  assert.match(up.token, new RegExp(`^${RBO.source}$`))
  assert.doesNotMatch([JSON.stringify(up.said), ...up.noted].join('\n'), RBO)
  await up.stop()
  // One that was replaced is in no file: whoever comes back is not led to it.
  assert.equal((await run(['token', ...at])).exit, 0)
  const again = await startUpHere(t, [...writeRules(folder), ...at])
  assert.deepEqual([again.said.token, again.said.token_file], [null, null])
  await again.stop()
})

test('finding 35a: a terminal shows the token, and half a terminal does not', () => {
  const { folder } = home()
  const serving = {
    url: 'http://x',
    link: 'http://x/#token=rbo_t',
    name: 'ann@example.com',
    token: 'rbo_t',
    close: async () => {},
  }
  const [terminal, pipe] = [{ write: () => {}, isTTY: true }, { write: () => {} }]
  const hand = (stdout: typeof pipe, stderr: typeof pipe) =>
    deliverToken(serving, { stdout, stderr, stdin: process.stdin, env: {} }, folder)
  const { token, token_file, link } = hand(terminal, terminal)
  assert.deepEqual([token, token_file, link], ['rbo_t', null, serving.link])
  const file = join(folder, 'ann%40example.com.token')
  // What was there before may have been readable by all.
  writeFileSync(file, 'older', { mode: 0o644 })
  for (const handed of [hand(terminal, pipe), hand(pipe, terminal)])
    assert.deepEqual(handed, { token: null, token_file: file, link: 'http://x' })
  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['rbo_t\n', 0o600])
})

test('finding 35b: a token without a role is refused, and whoever has one keeps theirs', async (t) => {
  const { at, folder } = home()
  await (await startUpHere(t, [...writeRules(folder), ...at])).stop()
  const refused = await runJson(['token', 'bob', ...at])
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'TOKEN_ROLE'])
  assert.match(refused.data.error.fix, /--role .*operator, approver, auditor, or source/)
  const made = await runJson(['token', 'bob', '--role', 'auditor', ...at])
  assert.deepEqual(made.data.roles, ['auditor'])
  assert.deepEqual((await runJson(['token', 'bob', ...at])).data.roles, ['auditor'])
})

test('finding 35c: the address of the store comes out of a file', async () => {
  const { folder, at } = home()
  const file = join(folder, 'store-address')
  writeFileSync(file, `sqlite:${join(folder, 'named.db')}\n`)
  const there = ['--store-file', file, '--state', join(folder, 'state')]
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...there])).exit, 0)
  assert.ok(statSync(join(folder, 'named.db')).isFile())
  for (const [argv, said] of [
    [['--store-file', join(folder, 'none')], /none` cannot be read/],
    [['--store-file', '/dev/null'], /`\/dev\/null` holds no address/],
    [['--store-file', file, ...at], /both name a store/],
  ] as const) {
    const { exit, stderr } = await run(['agents', 'list', ...argv])
    assert.equal(exit, 2)
    assert.match(stderr, said)
  }
})

test('finding 35c: the address comes from the environment, and a password by the ways of Postgres', () => {
  const secret = 'postgres://u:hunter2@h/d'
  const none = new Options({})
  assert.equal(getStoreAddress(none, { RUBICON_STORE: secret }), secret)
  assert.equal(
    getStoreAddress(new Options({ store: 'memory' }), { RUBICON_STORE: secret }),
    'memory',
  )
  assert.equal(getStoreAddress(none, { RUBICON_STORE: '' }), getStoreAddress(none, {}))
  assert.equal(findExposedSecret(none), null)
  for (const [store, isTold] of [
    [secret, true],
    ['postgresql://u@h/d?password=hunter2', true],
    [redactAddress(secret), false],
    ['sqlite:a:b@c', false],
  ] as const)
    assert.equal(findExposedSecret(new Options({ store })) !== null, isTold, store)
  const before = process.env.PGPASSWORD
  process.env.PGPASSWORD = 'from elsewhere'
  try {
    const { password } = new Client({ connectionString: redactAddress(secret) })
    assert.equal(password, 'from elsewhere')
  } finally {
    if (before === undefined) delete process.env.PGPASSWORD
    else process.env.PGPASSWORD = before
  }
})
